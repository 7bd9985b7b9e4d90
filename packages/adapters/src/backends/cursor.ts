import type { ParsedEvent } from '../events/agent-event.ts';
import { StreamedText } from '../messages/streamed-text.ts';
import { isRecord, type Members, numberOf, recordOf, recordsOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

export const cursor = defineBackend({
  name: 'cursor',
  command: 'cursor-agent',
  outputFormat: 'cursor-stream-json',
  experimental: true,
  args: ({ model, resume, partial, autoApprove }) => [
    '-p',
    // The flag is set explicitly because its default has changed between versions.
    '--output-format',
    'stream-json',
    ...(partial ? ['--stream-partial-output'] : []),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(autoApprove ? ['--force'] : []),
  ],
  createParser: () => new CursorParser(),
});

class CursorParser implements OutputParser {
  readonly #streamed = new StreamedText();

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type, subtype } = record;
    switch (type) {
      case 'system':
        if (subtype !== 'init') return [];
        return [
          {
            type: 'session_start',
            sessionId: stringOf(record['session_id']),
            model: stringOf(record['model']),
            cwd: stringOf(record['cwd']),
          },
        ];
      case 'user':
        return [];
      case 'thinking':
        return [{ type: 'thinking', text: stringOf(record['text']) ?? '', delta: true }];
      case 'assistant':
        return this.#assistant(record);
      case 'tool_call':
        return parseTool(record);
      case 'result':
        return parseResult(record);
      default:
        return typeof type === 'string' ? [{ type: 'unknown', eventType: type }] : null;
    }
  }

  #assistant(record: Members): ParsedEvent[] {
    // A piece has a time but no model call id. The whole text follows the pieces.
    const isPiece = record['timestamp_ms'] !== undefined && record['model_call_id'] === undefined;
    return recordsOf(recordOf(record['message'])['content']).flatMap((block): ParsedEvent[] => {
      const text = stringOf(block['text']);
      if (text === undefined) return [{ type: 'unknown', eventType: `assistant/${String(block['type'])}` }];
      if (isPiece) {
        this.#streamed.add('text', undefined, text);
        return [{ type: 'text', text, delta: true }];
      }
      const unsaid = this.#streamed.unsaid('text', text);
      return [{ type: 'text', text: unsaid, delta: unsaid !== text }];
    });
  }
}

function parseTool({ subtype, call_id, tool_call }: Members): ParsedEvent[] {
  const id = stringOf(call_id) ?? '';
  const [[key, value] = ['unknown', {}]] = Object.entries(recordOf(tool_call));
  const { args, result } = recordOf(value);
  const call: ParsedEvent = { type: 'tool_call', id, name: key.replace(/ToolCall$/, ''), input: args };
  if (subtype !== 'completed') return [call];
  const { success } = recordOf(result);
  if (!isRecord(success)) {
    return [call, { type: 'tool_result', id, output: json(result), isError: true, content: result }];
  }
  const { content, stdout, exitCode } = success;
  const output = stringOf(content) ?? stringOf(stdout) ?? json(success);
  const isError = exitCode !== undefined && exitCode !== 0;
  return [call, { type: 'tool_result', id, output, isError, content: result }];
}

function parseResult(record: Members): ParserOutput[] {
  const sessionId = stringOf(record['session_id']);
  const durationMs = numberOf(record['duration_ms']);
  const text = stringOf(record['result']);
  const usage = isRecord(record['usage']) ? [usageOf(record['usage'])] : [];
  if (record['is_error'] === false) {
    return [...usage, { type: 'outcome', outcome: { reason: 'success', text, sessionId, durationMs } }];
  }
  const error = text ?? 'the run failed';
  const outcome = { reason: 'error', error, sessionId, durationMs } as const;
  return [...usage, { type: 'error', message: error, fatal: true }, { type: 'outcome', outcome }];
}

function usageOf(usage: Members): ParsedEvent {
  return {
    type: 'usage',
    scope: 'session',
    usage: {
      inputTokens: numberOf(usage['inputTokens']) ?? 0,
      outputTokens: numberOf(usage['outputTokens']) ?? 0,
      cacheReadTokens: numberOf(usage['cacheReadTokens']) ?? 0,
      cacheWriteTokens: numberOf(usage['cacheWriteTokens']) ?? 0,
    },
  };
}

function json(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
