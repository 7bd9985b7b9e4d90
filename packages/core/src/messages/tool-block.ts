import { documentBlock, imageBlock, searchResultBlock } from './media-block.ts';
import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, oneOf, string, unknown } from './schema.ts';
import { openUnion, union } from './union-schema.ts';
import { textBlock } from './text-block.ts';

const toolUse = <const Type extends string>(type: Type) =>
  object({
    type: literal(type),
    id: string,
    name: string,
    // An object as a rule, but the model writes it.
    input: unknown,
    caller: optional(unknown),
    toolset_name: optional(nullable(string)),
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
    type: oneOf([
      'web_search_tool_result',
      'web_fetch_tool_result',
      'code_execution_tool_result',
      'bash_code_execution_tool_result',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'advisor_tool_result',
    ]),
    tool_use_id: string,
    content: unknown,
  }),
);

/** What a tool of the model API gave. */
export type ServerToolResultBlock = Infer<typeof serverToolResultBlock>;

/** Schema of `McpToolUseBlock`. */
export const mcpToolUseBlock = lazy(() =>
  object({
    type: literal('mcp_tool_use'),
    id: string,
    name: string,
    server_name: string,
    input: unknown,
  }),
);

/** A call of an MCP tool that the model API ran itself. */
export type McpToolUseBlock = Infer<typeof mcpToolUseBlock>;

/** Schema of `McpToolResultBlock`. */
export const mcpToolResultBlock = lazy(() =>
  object({
    type: literal('mcp_tool_result'),
    tool_use_id: string,
    content: union([string, array(unknown)]),
    is_error: boolean,
  }),
);

/** What an MCP tool of the model API gave. */
export type McpToolResultBlock = Infer<typeof mcpToolResultBlock>;

/** Schema of `ToolReferenceBlock`. */
export const toolReferenceBlock = lazy(() => object({ type: literal('tool_reference'), tool_name: string }));

/** A tool that a search for tools found. */
export type ToolReferenceBlock = Infer<typeof toolReferenceBlock>;

/** Schema of `BrowserStateBlock`. */
export const browserStateBlock = lazy(() => object({ type: literal('browser_state') }));

/** What a browser shows, in a form of the model API. */
export type BrowserStateBlock = Infer<typeof browserStateBlock>;

/** Schema of `ToolResultBlock`. */
export const toolResultBlock = lazy(() =>
  object({
    type: literal('tool_result'),
    tool_use_id: string,
    content: optional(
      union([
        string,
        array(
          openUnion('type', {
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
    is_error: optional(boolean),
  }),
);

/** What a tool gave, for the model to read. */
export type ToolResultBlock = Infer<typeof toolResultBlock>;
