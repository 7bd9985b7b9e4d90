import type { Turn } from '@proto/agent';
import type { Tool } from './tool.ts';

/** Asks the user. A host adds the user's answers to the input when it permits the call, as a map from question to label. */
export const askUserQuestion: Tool = {
  name: 'AskUserQuestion',
  effect: 'asks',
  run(input) {
    const { answers } = input;
    // The questions are read from the answers, because some hosts do not send the questions back.
    const given = Object.entries(typeof answers === 'object' && answers !== null ? answers : {}).filter(
      ([, label]) => typeof label === 'string',
    );
    if (given.length === 0) throw new Error('The question was not answered.');
    const texts = given.map(([question, label]) => `The answer to "${question}" is "${label}".`);
    return { content: texts.join('\n'), output: input };
  },
};

type McpBlock = Readonly<Record<string, unknown>>;

/** A block of a server's result in the form of the Messages API. A block that this form does not have becomes its text, or a text with its address. */
function blockForModel(block: McpBlock): McpBlock {
  const { type, data, mimeType, resource, uri } = block;
  if (type === 'text') return block;
  if (type === 'image') return { type, source: { type: 'base64', media_type: mimeType, data } };
  const { text, uri: address = uri } = (resource ?? {}) as McpBlock;
  return { type: 'text', text: typeof text === 'string' ? text : `[${[type, address].filter(Boolean).join(' ')}]` };
}

/** Whether a name belongs to a tool of an MCP server. */
export function isMcpName(name: string): boolean {
  return /^mcp__.+?__/.test(name);
}

/** Returns a tool of an MCP server in the host; undefined if no server has that tool. */
export function mcpTool(name: string, turn: Turn): Tool | undefined {
  for (const server of turn.mcpServers) {
    const definition = server.tools.find((tool) => `mcp__${server.name}__${tool.name}` === name);
    if (definition === undefined) continue;
    const annotations = definition['annotations'] as { readonly readOnlyHint?: unknown } | undefined;
    return {
      name,
      effect: 'serves',
      isConcurrent: annotations?.readOnlyHint === true,
      async run(input, { toolUseID }) {
        // `callTool` uses the signal of the turn, so an interrupt cancels the call before the interrupt is answered.
        const { content, structuredContent, isError } = await server.callTool(definition.name, input, { toolUseID });
        const blocks = Array.isArray(content) ? (content as readonly McpBlock[]).map(blockForModel) : [];
        if (isError === true) throw new Error(blocks.map(({ text }) => text).join('\n'));
        if (structuredContent === undefined) return { content: blocks };
        // The model gets the structured content instead of the text.
        return { content: JSON.stringify(structuredContent), output: { content: blocks, structuredContent } };
      },
    };
  }
  return undefined;
}
