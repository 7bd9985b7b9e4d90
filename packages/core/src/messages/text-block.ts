import * as z from 'zod/mini';

import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `TextBlock`. */
export const textBlock = lazy(() =>
  object({
    type: z.literal('text'),
    text: z.string(),
    citations: optional(z.nullable(z.array(z.unknown()))),
  }),
);

/** Text of the model, of a prompt or of a tool. */
export type TextBlock = Infer<typeof textBlock>;

/** Schema of `ThinkingBlock`. */
export const thinkingBlock = lazy(() =>
  object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
);

/** What the model thought; must go back to it unchanged, hence the signature. */
export type ThinkingBlock = Infer<typeof thinkingBlock>;

/** Schema of `RedactedThinkingBlock`. */
export const redactedThinkingBlock = lazy(() => object({ type: z.literal('redacted_thinking'), data: z.string() }));

/** What the model thought, encrypted. */
export type RedactedThinkingBlock = Infer<typeof redactedThinkingBlock>;
