import { contentBlock } from './content-block.ts';
import { object } from './object-schema.ts';
import { array, type Infer, lazy, type LazySchema, literal, type SchemaOf, string } from './schema.ts';
import { union } from './union-schema.ts';

/** Schema of `PromptContent`. */
export const promptContent = lazy(() => union([string, array(contentBlock)]));

/** Text, or content blocks. */
export type PromptContent = Infer<typeof promptContent>;

// The type allows all roles, as that of the model API does; an agent ends at a `user` message whose role is not `user`.
const role: LazySchema<SchemaOf<'user' | 'assistant' | 'system'>> = literal('user');

/** Schema of `MessageParam`. */
export const messageParam = lazy(() => object({ role, content: promptContent }));

/** A message as the model API takes it. */
export type MessageParam = Infer<typeof messageParam>;
