import * as z from 'zod/mini';
import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { textBlock } from './text-block.ts';
import { openObject, openUnion, protocol } from './open.ts';

const toolUse = <const Type extends string>(type: Type) =>
  openObject({
    type: z.literal(type),
    id: z.string().check(z.describe('The `tool_use_id` of the result that answers the call.')),
    name: z.string(),
    input: z.unknown().check(z.describe('An object as a rule, but the model writes it.')),
    caller: z.optional(z.unknown()).check(z.describe('What made the call: the model itself, or code that the model API ran for it.')),
    toolset_name: z.optional(z.nullable(z.string())),
  });

export const toolUseBlock = toolUse('tool_use').register(protocol, { id: 'ToolUseBlock', description: 'A call of a tool that the agent runs.' });

export const serverToolUseBlock = toolUse('server_tool_use').register(protocol, {
  id: 'ServerToolUseBlock',
  description: 'A call of a tool that the model API ran itself.',
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
  content: z.unknown().check(z.describe('What the tool gave, or an object that tells of its failure.')),
}).register(protocol, { id: 'ServerToolResultBlock', description: 'What a tool of the model API gave.' });

export const mcpToolUseBlock = openObject({
  type: z.literal('mcp_tool_use'),
  id: z.string().check(z.describe('The `tool_use_id` of the result that answers the call.')),
  name: z.string(),
  server_name: z.string(),
  input: z.unknown(),
}).register(protocol, { id: 'McpToolUseBlock', description: 'A call of an MCP tool that the model API ran itself.' });

export const mcpToolResultBlock = openObject({
  type: z.literal('mcp_tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]),
  is_error: z.boolean(),
}).register(protocol, { id: 'McpToolResultBlock', description: 'What an MCP tool of the model API gave.' });

export const toolReferenceBlock = openObject({ type: z.literal('tool_reference'), tool_name: z.string() }).register(protocol, {
  id: 'ToolReferenceBlock',
  description: 'A tool that a search for tools found.',
});

export const browserStateBlock = openObject({ type: z.literal('browser_state') }).register(protocol, {
  id: 'BrowserStateBlock',
  description: 'What a browser shows, in a form of the model API.',
});

export const toolResultBlock = openObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.optional(
    z.union([z.string(), z.array(openUnion('type', [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock, browserStateBlock]))]),
  ),
  is_error: z.optional(z.boolean()).check(z.describe('True where the tool failed or was not allowed to run; a success may leave it out.')),
}).register(protocol, { id: 'ToolResultBlock', description: 'What a tool gave, for the model to read.' });
