import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

export const textBlock = openObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.optional(z.nullable(z.array(z.unknown()))).check(z.describe('The passages that the text cites, in the format of the model API.')),
}).register(protocol, { id: 'TextBlock', description: 'Text that is written by the model, is part of a prompt, or is returned by a tool.' });

export const thinkingBlock = openObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }).register(protocol, {
  id: 'ThinkingBlock',
  description: "The model's thinking. Send the block back to the model unchanged, because the model API checks its signature.",
});

export const redactedThinkingBlock = openObject({ type: z.literal('redacted_thinking'), data: z.string() }).register(protocol, {
  id: 'RedactedThinkingBlock',
  description: "The model's thinking, encrypted.",
});

const uploadedFile = z.describe('The id of a file that was uploaded to the model API earlier.');

export const imageBlock = openObject({
  type: z.literal('image'),
  source: openUnion('type', [
    openObject({ type: z.literal('base64'), media_type: openEnum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']), data: z.string() }),
    openObject({ type: z.literal('url'), url: z.string() }),
    openObject({ type: z.literal('file'), file_id: z.string().check(uploadedFile) }),
  ]),
}).register(protocol, { id: 'ImageBlock', description: 'An image in a prompt or in the output of a tool.' });

export const documentBlock = openObject({
  type: z.literal('document'),
  source: openUnion('type', [
    openObject({ type: z.literal('base64'), media_type: openEnum(['application/pdf']), data: z.string() }),
    openObject({ type: z.literal('text'), media_type: openEnum(['text/plain']), data: z.string().check(z.describe('The plain text, not in base64.')) }),
    openObject({ type: z.literal('content'), content: z.union([z.string(), z.array(z.unknown())]) }),
    openObject({ type: z.literal('url'), url: z.string() }),
    openObject({ type: z.literal('file'), file_id: z.string().check(uploadedFile) }),
  ]),
  title: z.optional(z.nullable(z.string())).check(z.describe('The title of the document. The model sees the title, but never cites it.')),
  context: z.optional(z.nullable(z.string())).check(z.describe('More information about the document. The model sees this text, but never cites it.')),
  citations: z.optional(z.nullable(openObject({ enabled: z.optional(z.boolean()).check(z.describe('Whether the model may cite passages of the document.')) }))),
}).register(protocol, { id: 'DocumentBlock', description: 'A document in a prompt or in the output of a tool.' });

export const searchResultBlock = openObject({
  type: z.literal('search_result'),
  source: z.string().check(z.describe('Where the passage was found, such as a URL.')),
  title: z.string(),
  content: z.array(z.unknown()).check(z.describe('The passage, as text blocks.')),
}).register(protocol, { id: 'SearchResultBlock', description: 'A passage found by a search, which the model may cite.' });

const toolUse = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    id: z.string().check(z.describe('The id of the call. The result of the call contains this id as `tool_use_id`.')),
    name: z.string(),
    input: z.unknown().check(z.describe('The input as the model wrote it. It is usually an object, but do not rely on that.')),
    caller: z.optional(z.unknown()).check(z.describe('What made the call: the model itself, or code that the model API ran for the model.')),
    toolset_name: z.optional(z.nullable(z.string())),
  });

export const toolUseBlock = toolUse('tool_use').register(protocol, { id: 'ToolUseBlock', description: 'A call to a tool that the agent runs.' });

export const serverToolUseBlock = toolUse('server_tool_use').register(protocol, {
  id: 'ServerToolUseBlock',
  description: 'A call to a tool that the model API ran itself.',
});

export const serverToolResultBlock = openObject({
  type: z.enum([
    'web_search_tool_result',
    'web_fetch_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
    'tool_search_tool_result',
    'advisor_tool_result',
  ]),
  tool_use_id: z.string(),
  content: z.unknown().check(z.describe('The output of the tool, or an object that describes its failure.')),
}).register(protocol, { id: 'ServerToolResultBlock', description: 'The output of a tool that the model API ran itself.' });

export const mcpToolUseBlock = openObject({
  type: z.literal('mcp_tool_use'),
  id: z.string().check(z.describe('The id of the call. The result of the call contains this id as `tool_use_id`.')),
  name: z.string(),
  server_name: z.string(),
  input: z.unknown(),
}).register(protocol, { id: 'McpToolUseBlock', description: 'A call to an MCP tool that the model API ran itself.' });

export const mcpToolResultBlock = openObject({
  type: z.literal('mcp_tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]),
  is_error: z.boolean(),
}).register(protocol, { id: 'McpToolResultBlock', description: 'The output of an MCP tool that the model API ran itself.' });

export const toolReferenceBlock = openObject({ type: z.literal('tool_reference'), tool_name: z.string() }).register(protocol, {
  id: 'ToolReferenceBlock',
  description: 'A tool that was found by a search for tools.',
});

export const browserStateBlock = openObject({ type: z.literal('browser_state') }).register(protocol, {
  id: 'BrowserStateBlock',
  description: 'The current contents of a browser, in a format of the model API.',
});

export const toolResultBlock = openObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.optional(
    z.union([z.string(), z.array(openUnion('type', [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock, browserStateBlock]))]),
  ),
  is_error: z.optional(z.boolean()).check(z.describe('True if the tool failed or was not allowed to run. May be absent after a success.')),
}).register(protocol, { id: 'ToolResultBlock', description: 'The output of a tool, for the model to read.' });

export const containerUploadBlock = openObject({ type: z.literal('container_upload'), file_id: z.string() }).register(protocol, {
  id: 'ContainerUploadBlock',
  description: 'A file that was copied into the container in which the model API runs code.',
});

export const compactionBlock = openObject({
  type: z.literal('compaction'),
  content: z.optional(z.nullable(z.string())).check(z.describe('The summary as text. `null` if the model API could not write a summary.')),
  encrypted_content: z.optional(z.nullable(z.string())).check(z.describe('Content that only the model API can read. Send the content back unchanged.')),
}).register(protocol, { id: 'CompactionBlock', description: 'A summary that replaces the part of the conversation that the model API compacted.' });

export const mcpToolListingBlock = openObject({ type: z.literal('mcp_tool_listing'), mcp_server_name: z.string(), tools: z.array(z.unknown()) }).register(
  protocol,
  { id: 'McpToolListingBlock', description: 'The tools of an MCP server, as listed by the model API.' },
);

export const fallbackBlock = openObject({ type: z.literal('fallback'), from: z.unknown(), to: z.unknown(), trigger: z.optional(z.unknown()) }).register(
  protocol,
  { id: 'FallbackBlock', description: 'Marks the point in the reply from which another model continued.' },
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
  {
    id: 'ContentBlock',
    description:
      'One piece of a message. The type includes the kinds of pieces that either side sends, because transcripts and replays contain messages from both sides.',
  },
);
