import type { ParsedEvent } from '../events/agent-event.ts';
import { isRecord, type Members, numberOf, recordOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

/** The backend for Gemini CLI, which exits with 0 after signals and cut-off answers, and with the HTTP status modulo 256 after API errors. */
export const gemini = defineBackend({
  name: 'gemini',
  command: 'gemini',
  outputFormat: 'gemini-stream-json',
  exitCodes: {
    41: 'error',
    42: 'error',
    44: 'error',
    52: 'error',
    53: 'max_turns',
    54: 'error',
    55: 'error',
    130: 'aborted',
  },
  args: ({ model, autoApprove }) => [
    '--output-format',
    'stream-json',
    ...(model === undefined ? [] : ['-m', model]),
    ...(autoApprove ? ['--yolo', '--skip-trust'] : []),
  ],
  createParser: () => new GeminiParser(),
});

class GeminiParser implements OutputParser {
  #lastError: string | undefined;

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    switch (type) {
      case 'init':
        return [{ type: 'session_start', sessionId: stringOf(record['session_id']), model: stringOf(record['model']) }];
      case 'message': {
        const { role, content, delta } = record;
        return role === 'assistant' ? [{ type: 'text', text: stringOf(content) ?? '', delta: delta === true }] : [];
      }
      case 'tool_use': {
        const { tool_id, tool_name, parameters } = record;
        return [{ type: 'tool_call', id: stringOf(tool_id) ?? '', name: stringOf(tool_name) ?? '', input: parameters }];
      }
      case 'tool_result': {
        const { tool_id, status, output, error } = record;
        const text = stringOf(output) ?? stringOf(recordOf(error)['message']) ?? '';
        return [{ type: 'tool_result', id: stringOf(tool_id) ?? '', output: text, isError: status !== 'success' }];
      }
      case 'error':
        this.#lastError = stringOf(record['message']) ?? 'error';
        return [{ type: 'error', message: this.#lastError, fatal: false, code: stringOf(record['severity']) }];
      case 'result':
        return this.#result(record);
      default:
        return typeof type === 'string' ? [{ type: 'unknown', eventType: type }] : null;
    }
  }

  #result({ status, error, stats }: Members): ParserOutput[] {
    const usage = isRecord(stats) ? [usageOf(stats)] : [];
    const durationMs = numberOf(recordOf(stats)['duration_ms']);
    if (status === 'success') return [...usage, { type: 'outcome', outcome: { reason: 'success', durationMs } }];
    const { type, message } = recordOf(error);
    // If the answer was cut off, the run fails without a separate error.
    const text = stringOf(message) ?? this.#lastError;
    const errors: ParsedEvent[] =
      text === undefined ? [] : [{ type: 'error', message: text, fatal: true, code: stringOf(type) }];
    return [...usage, ...errors, { type: 'outcome', outcome: { reason: 'error', error: text, durationMs } }];
  }
}

function usageOf(stats: Members): ParsedEvent {
  const cacheReadTokens = numberOf(stats['cached']) ?? 0;
  const whole = numberOf(stats['input_tokens']) ?? 0;
  return {
    type: 'usage',
    scope: 'session',
    usage: {
      inputTokens: numberOf(stats['input']) ?? Math.max(0, whole - cacheReadTokens),
      outputTokens: numberOf(stats['output_tokens']) ?? 0,
      cacheReadTokens,
      cacheWriteTokens: 0,
    },
  };
}
