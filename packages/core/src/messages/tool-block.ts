import * as z from 'zod/mini';

import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { type Infer, lazy, object, openUnionOf, optional } from './schema.ts';
import { textBlock } from './text-block.ts';

const toolUse = <const Type extends string>(type: Type) =>
  object({
    type: z.literal(type),
    id: z.string(),
    name: z.string(),
    // An object as a rule, but the model writes it.
    input: z.unknown(),
    caller: optional(z.unknown()),
    toolset_name: optional(z.nullable(z.string())),
  });

/** Schema of `ToolUseBlock`. */
export const toolUseBlock = lazy(() => toolUse('tool_use'));

/** A call of a tool that the agent runs. */
export type ToolUseBlock = Infer<typeof toolUseBlock>;

/** Schema of `ServerToolUseBlock`. */
export const serverToolUseBlock = lazy(() => toolUse('server_tool_use'));

/** A call of a tool that the model API ran itself. */
export type ServerToolUseBlock = Infer<typeof serverToolUseBlock>;

/** Schema of `ServerToolResultBlock`. */
export const serverToolResultBlock = lazy(() =>
  object({
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
    content: z.unknown(),
  }),
);

/** What a tool of the model API gave. */
export type ServerToolResultBlock = Infer<typeof serverToolResultBlock>;

/** Schema of `McpToolUseBlock`. */
export const mcpToolUseBlock = lazy(() =>
  object({
    type: z.literal('mcp_tool_use'),
    id: z.string(),
    name: z.string(),
    server_name: z.string(),
    input: z.unknown(),
  }),
);

/** A call of an MCP tool that the model API ran itself. */
export type McpToolUseBlock = Infer<typeof mcpToolUseBlock>;

/** Schema of `McpToolResultBlock`. */
export const mcpToolResultBlock = lazy(() =>
  object({
    type: z.literal('mcp_tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]),
    is_error: z.boolean(),
  }),
);

/** What an MCP tool of the model API gave. */
export type McpToolResultBlock = Infer<typeof mcpToolResultBlock>;

/** Schema of `ToolReferenceBlock`. */
export const toolReferenceBlock = lazy(() => object({ type: z.literal('tool_reference'), tool_name: z.string() }));

/** A tool that a search for tools found. */
export type ToolReferenceBlock = Infer<typeof toolReferenceBlock>;

/** Schema of `BrowserStateBlock`. */
export const browserStateBlock = lazy(() => object({ type: z.literal('browser_state') }));

/** What a browser shows, in a form of the model API. */
export type BrowserStateBlock = Infer<typeof browserStateBlock>;

/** Schema of `ToolResultBlock`. */
export const toolResultBlock = lazy(() =>
  object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: optional(
      z.union([
        z.string(),
        z.array(
          openUnionOf('type', {
            text: textBlock,
            image: imageBlock,
            document: documentBlock,
            search_result: searchResultBlock,
            tool_reference: toolReferenceBlock,
            browser_state: browserStateBlock,
          }),
        ),
      ]),
    ),
    is_error: optional(z.boolean()),
  }),
);

/** What a tool gave, for the model to read. */
export type ToolResultBlock = Infer<typeof toolResultBlock>;
