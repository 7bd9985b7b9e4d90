import * as z from 'zod/mini';
import { contentBlock } from './content-block.ts';
import { openObject, protocol } from './open.ts';

export const promptContent = z.union([z.string(), z.array(contentBlock)]).register(protocol, { id: 'PromptContent', description: 'Text, or content blocks.' });

// The type allows all roles, as that of the model API does; an agent ends at a `user` message whose role is not `user`.
const role = z.literal('user').register(protocol, { type: "'user' | 'assistant' | 'system'" });

export const messageParam = openObject({ role, content: promptContent }).register(protocol, {
  id: 'MessageParam',
  description: 'A message as the model API takes it.',
});
