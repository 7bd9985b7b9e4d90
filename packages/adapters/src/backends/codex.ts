import type { ParsedEvent } from '../events/agent-event.ts';
import { contentText, type Members, numberOf, recordOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

export const codex = defineBackend({
  name: 'codex',
  command: 'codex',
  outputFormat: 'codex-jsonl',
  args: ({ model, resume, autoApprove }) => [
    'exec',
    ...(resume === undefined ? [] : ['resume', resume]),
    '--json',
    ...(model === undefined ? [] : ['-m', model]),
    ...(autoApprove ? ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check'] : []),
  ],
  createParser: () => new CodexParser(),
});

type Phase = 'started' | 'updated' | 'completed';

class CodexParser implements OutputParser {
  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    switch (type) {
      case 'thread.started':
        return [{ type: 'session_start', sessionId: stringOf(record['thread_id']) }];
      case 'turn.started':
        return [];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return parseItem(recordOf(record['item']), type.slice('item.'.length) as Phase);
      case 'turn.completed':
        return [usageOf(recordOf(record['usage'])), { type: 'outcome', outcome: { reason: 'success' } }];
      case 'turn.failed': {
        const error = stringOf(recordOf(record['error'])['message']) ?? 'the turn failed';
        return [
          { type: 'error', message: error, fatal: true },
          { type: 'outcome', outcome: { reason: 'error', error } },
        ];
      }
      case 'error':
        // A lost connection is reported in the same way, and the program recovers from it.
        return [{ type: 'error', message: stringOf(record['message']) ?? 'error', fatal: false }];
      default:
        return typeof type === 'string' ? [{ type: 'unknown', eventType: type }] : null;
    }
  }
}

function parseItem(item: Members, phase: Phase): ParsedEvent[] {
  const { type } = item;
  switch (type) {
    case 'agent_message':
    case 'reasoning': {
      const text = stringOf(item['text']) ?? '';
      const messageId = stringOf(item['id']);
      return phase === 'completed'
        ? [{ type: type === 'reasoning' ? 'thinking' : 'text', text, delta: false, messageId }]
        : [];
    }
    case 'error':
      return [{ type: 'error', message: stringOf(item['message']) ?? 'error', fatal: false }];
    case 'command_execution':
    case 'file_change':
    case 'mcp_tool_call':
    case 'web_search':
    case 'collab_tool_call':
      return parseTool(item, type, phase);
    case 'todo_list':
      return [];
    default:
      return [{ type: 'unknown', eventType: `item.${phase}/${String(type)}` }];
  }
}

type Tool = 'command_execution' | 'file_change' | 'mcp_tool_call' | 'web_search' | 'collab_tool_call';

function parseTool(item: Members, tool: Tool, phase: Phase): ParsedEvent[] {
  // The line of a `web_search` contains the key `id` twice: first with the item id, then with the search id. Both lines of the search have the same
  // search id.
  const id = stringOf(item['id']) ?? '';
  const call: ParsedEvent = { type: 'tool_call', id, ...callOf(item, tool) };
  if (phase === 'started') return [call];
  const output = outputOf(item, tool);
  if (phase === 'updated') return [call, { type: 'tool_progress', id, output }];
  const { status, result, error } = item;
  const isError = (status !== undefined && status !== 'completed') || (error !== undefined && error !== null);
  const content = tool === 'mcp_tool_call' && result !== null && result !== undefined ? { content: result } : {};
  return [call, { type: 'tool_result', id, output, isError, ...content }];
}

function callOf(item: Members, tool: Tool): { name: string; input: unknown } {
  switch (tool) {
    case 'command_execution':
      return { name: tool, input: { command: item['command'] } };
    case 'file_change':
      return { name: tool, input: { changes: item['changes'] } };
    case 'mcp_tool_call':
      return { name: `mcp__${String(item['server'])}__${String(item['tool'])}`, input: item['arguments'] };
    case 'web_search':
      return { name: tool, input: { query: item['query'] } };
    case 'collab_tool_call':
      return {
        name: stringOf(item['tool']) ?? tool,
        input: { prompt: item['prompt'], to: item['receiver_thread_ids'] },
      };
  }
}

function outputOf(item: Members, tool: Tool): string {
  if (tool === 'command_execution') return stringOf(item['aggregated_output']) ?? '';
  if (tool === 'mcp_tool_call') {
    return contentText(recordOf(item['result'])['content']) || (stringOf(recordOf(item['error'])['message']) ?? '');
  }
  return '';
}

function usageOf(usage: Members): ParsedEvent {
  const cacheReadTokens = numberOf(usage['cached_input_tokens']) ?? 0;
  return {
    type: 'usage',
    scope: 'session',
    usage: {
      inputTokens: Math.max(0, (numberOf(usage['input_tokens']) ?? 0) - cacheReadTokens),
      outputTokens: numberOf(usage['output_tokens']) ?? 0,
      cacheReadTokens,
      cacheWriteTokens: numberOf(usage['cache_write_input_tokens']) ?? 0,
      reasoningTokens: numberOf(usage['reasoning_output_tokens']),
    },
  };
}
