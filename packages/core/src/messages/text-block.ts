import { object, optional } from './object-schema.ts';
import { array, type Infer, lazy, literal, nullable, string, unknown } from './schema.ts';

/** Schema of `TextBlock`. */
export const textBlock = lazy(() =>
  object({
    type: literal('text'),
    text: string,
    citations: optional(nullable(array(unknown))),
  }),
);

/** Text of the model, of a prompt or of a tool. */
export type TextBlock = Infer<typeof textBlock>;

/** Schema of `ThinkingBlock`. */
export const thinkingBlock = lazy(() => object({ type: literal('thinking'), thinking: string, signature: string }));

/** What the model thought; must go back to it unchanged, hence the signature. */
export type ThinkingBlock = Infer<typeof thinkingBlock>;

/** Schema of `RedactedThinkingBlock`. */
export const redactedThinkingBlock = lazy(() => object({ type: literal('redacted_thinking'), data: string }));

/** What the model thought, encrypted. */
export type RedactedThinkingBlock = Infer<typeof redactedThinkingBlock>;
