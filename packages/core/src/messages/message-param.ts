import * as z from 'zod/mini';

import { contentBlock } from './content-block.ts';
import { type Infer, lazy, object, type SchemaOf } from './schema.ts';

/** Schema of `PromptContent`. */
export const promptContent = lazy(() => z.union([z.string(), z.array(contentBlock())]));

/** Text, or content blocks. */
export type PromptContent = Infer<typeof promptContent>;

// The type allows all roles, as that of the model API does; an agent ends at a `user` message whose role is not `user`.
const role = (): SchemaOf<'user' | 'assistant' | 'system'> => z.literal('user');

/** Schema of `MessageParam`. */
export const messageParam = lazy(() => object({ role: role(), content: promptContent() }));

/** A message as the model API takes it. */
export type MessageParam = Infer<typeof messageParam>;
