import * as z from 'zod/mini';
import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { redactedThinkingBlock, textBlock, thinkingBlock } from './text-block.ts';
import { mcpToolResultBlock, mcpToolUseBlock, serverToolResultBlock, serverToolUseBlock, toolResultBlock, toolUseBlock } from './tool-block.ts';
import { openObject, openUnion, protocol } from './open.ts';

export const containerUploadBlock = openObject({ type: z.literal('container_upload'), file_id: z.string() }).register(protocol, {
  id: 'ContainerUploadBlock',
  description: 'A file put into the container of the model API.',
});

export const compactionBlock = openObject({
  type: z.literal('compaction'),
  content: z.optional(z.nullable(z.string())).check(z.describe('The summary as text; null where none could be made.')),
  encrypted_content: z.optional(z.nullable(z.string())).check(z.describe('For the model API alone; must go back to it unchanged.')),
}).register(protocol, { id: 'CompactionBlock', description: 'The summary that stands for what the model API compacted.' });

export const mcpToolListingBlock = openObject({ type: z.literal('mcp_tool_listing'), mcp_server_name: z.string(), tools: z.array(z.unknown()) }).register(
  protocol,
  { id: 'McpToolListingBlock', description: 'The tools of an MCP server that the model API asked itself.' },
);

export const fallbackBlock = openObject({ type: z.literal('fallback'), from: z.unknown(), to: z.unknown(), trigger: z.optional(z.unknown()) }).register(
  protocol,
  { id: 'FallbackBlock', description: 'From here on another model wrote.' },
);

export const contentBlock = openUnion(
  'type',
  [
    textBlock,
    thinkingBlock,
    redactedThinkingBlock,
    toolUseBlock,
    toolResultBlock,
    imageBlock,
    documentBlock,
    searchResultBlock,
    serverToolUseBlock,
    serverToolResultBlock,
    mcpToolUseBlock,
    mcpToolResultBlock,
    containerUploadBlock,
    mcpToolListingBlock,
    compactionBlock,
    fallbackBlock,
  ],
  { id: 'ContentBlock', description: 'One piece of a message: the kinds of both sides, because transcripts and replays mix them.' },
);
