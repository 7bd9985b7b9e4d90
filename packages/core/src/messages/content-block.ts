import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { object, optional } from './object-schema.ts';
import { array, type Infer, lazy, literal, nullable, string, unknown } from './schema.ts';
import { openUnion } from './union-schema.ts';
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
export const containerUploadBlock = lazy(() => object({ type: literal('container_upload'), file_id: string }));

/** A file put into the container of the model API. */
export type ContainerUploadBlock = Infer<typeof containerUploadBlock>;

/** Schema of `CompactionBlock`. */
export const compactionBlock = lazy(() =>
  object({
    type: literal('compaction'),
    content: optional(nullable(string)),
    encrypted_content: optional(nullable(string)),
  }),
);

/** The summary that stands for what the model API compacted. */
export type CompactionBlock = Infer<typeof compactionBlock>;

/** Schema of `McpToolListingBlock`. */
export const mcpToolListingBlock = lazy(() =>
  object({ type: literal('mcp_tool_listing'), mcp_server_name: string, tools: array(unknown) }),
);

/** The tools of an MCP server that the model API asked itself. */
export type McpToolListingBlock = Infer<typeof mcpToolListingBlock>;

/** Schema of `FallbackBlock`. */
export const fallbackBlock = lazy(() =>
  object({ type: literal('fallback'), from: unknown, to: unknown, trigger: optional(unknown) }),
);

/** From here on another model wrote. */
export type FallbackBlock = Infer<typeof fallbackBlock>;

/** Schema of `ContentBlock`. */
export const contentBlock = lazy(() =>
  openUnion('type', {
    text: textBlock,
    thinking: thinkingBlock,
    redacted_thinking: redactedThinkingBlock,
    tool_use: toolUseBlock,
    tool_result: toolResultBlock,
    image: imageBlock,
    document: documentBlock,
    search_result: searchResultBlock,
    server_tool_use: serverToolUseBlock,
    web_search_tool_result: serverToolResultBlock,
    web_fetch_tool_result: serverToolResultBlock,
    code_execution_tool_result: serverToolResultBlock,
    bash_code_execution_tool_result: serverToolResultBlock,
    text_editor_code_execution_tool_result: serverToolResultBlock,
    tool_search_tool_result: serverToolResultBlock,
    advisor_tool_result: serverToolResultBlock,
    mcp_tool_use: mcpToolUseBlock,
    mcp_tool_result: mcpToolResultBlock,
    container_upload: containerUploadBlock,
    mcp_tool_listing: mcpToolListingBlock,
    compaction: compactionBlock,
    fallback: fallbackBlock,
  }),
);

/** One piece of a message: the kinds of both sides, because transcripts and replays mix them. */
export type ContentBlock = Infer<typeof contentBlock>;
