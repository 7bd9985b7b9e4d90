import type { Command } from '../action.ts';
import { jsonOf } from './json-argument.ts';

/** `/mcp SERVER TOOL JSON`: calls a tool of a server of the host, with that input, and tells its answer. */
export const mcp: Command = (argument) => {
  const [, server, tool, json = '{}'] = /^(\S+)\s+(\S+)(?:\s+(.+))?$/s.exec(argument) ?? [];
  if (server === undefined || tool === undefined) throw new Error('/mcp takes a server, a tool and its input');
  return [{ kind: 'call', tool: `mcp__${server}__${tool}`, input: jsonOf('/mcp', json) }];
};
