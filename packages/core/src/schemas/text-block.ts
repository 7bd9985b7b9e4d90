import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const textBlock = openObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.optional(z.nullable(z.array(z.unknown()))).check(z.describe('The passages that the text cites, as the model API tells them.')),
}).register(protocol, { id: 'TextBlock', description: 'Text of the model, of a prompt or of a tool.' });

export const thinkingBlock = openObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }).register(protocol, {
  id: 'ThinkingBlock',
  description: 'What the model thought; must go back to it unchanged, hence the signature.',
});

export const redactedThinkingBlock = openObject({ type: z.literal('redacted_thinking'), data: z.string() }).register(protocol, {
  id: 'RedactedThinkingBlock',
  description: 'What the model thought, encrypted.',
});
