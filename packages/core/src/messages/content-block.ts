import * as z from 'zod/mini';

import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { type Infer, lazy, object, openUnion, optional } from './schema.ts';
import { redactedThinkingBlock, textBlock, thinkingBlock } from './text-block.ts';
import {
  mcpToolResultBlock,
  mcpToolUseBlock,
  serverToolResultBlock,
  serverToolUseBlock,
  toolResultBlock,
  toolUseBlock,
} from './tool-block.ts';

/** Schema of `ContainerUploadBlock`. */
export const containerUploadBlock = lazy(() => object({ type: z.literal('container_upload'), file_id: z.string() }));

/** A file put into the container of the model API. */
export type ContainerUploadBlock = Infer<typeof containerUploadBlock>;

/** Schema of `CompactionBlock`. */
export const compactionBlock = lazy(() =>
  object({
    type: z.literal('compaction'),
    content: optional(z.nullable(z.string())),
    encrypted_content: optional(z.nullable(z.string())),
  }),
);

/** The summary that stands for what the model API compacted. */
export type CompactionBlock = Infer<typeof compactionBlock>;

/** Schema of `ContentBlock`. */
export const contentBlock = lazy(() =>
  openUnion('type', [
    textBlock(),
    thinkingBlock(),
    redactedThinkingBlock(),
    toolUseBlock(),
    toolResultBlock(),
    imageBlock(),
    documentBlock(),
    searchResultBlock(),
    serverToolUseBlock(),
    serverToolResultBlock(),
    mcpToolUseBlock(),
    mcpToolResultBlock(),
    containerUploadBlock(),
    compactionBlock(),
  ]),
);

/** One piece of a message: the kinds of both sides, because transcripts and replays mix them. */
export type ContentBlock = Infer<typeof contentBlock>;
