import type { CompleteReason, ParsedEvent } from '../events/agent-event.ts';
import { type Members, numberOf, recordOf, stringOf } from '../parsers/members.ts';
import { type ExitInfo, isAborted, type OutputParser, type ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

/** The backend for OpenCode, whose output contains no line for the start or the end of a run. */
export const opencode = defineBackend({
  name: 'opencode',
  command: 'opencode',
  outputFormat: 'opencode-json',
  args: ({ model, resume, autoApprove }) => [
    'run',
    '--format',
    'json',
    ...(model === undefined ? [] : ['-m', model]),
    ...(resume === undefined ? [] : ['-s', resume]),
    ...(autoApprove ? ['--auto'] : []),
  ],
  createParser: () => new OpenCodeParser(),
});

class OpenCodeParser implements OutputParser {
  #started = false;
  // The reason why the last step ended; undefined while a step is running.
  #lastReason: string | undefined;
  #error: string | undefined;

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    if (typeof type !== 'string') return null;
    return [...this.#start(stringOf(record['sessionID'])), ...this.#parse(type, record)];
  }

  end(exit: ExitInfo): readonly ParserOutput[] {
    if (this.#error !== undefined) return [{ type: 'outcome', outcome: { reason: 'error', error: this.#error } }];
    if (isAborted(exit) || exit.exitCode !== 0) return [];
    // The program also exits with 0 if it stopped because of a missing permission, so only a step that ended normally is treated as success.
    const reason: CompleteReason = this.#lastReason === 'stop' ? 'success' : 'incomplete';
    return [{ type: 'outcome', outcome: { reason } }];
  }

  #start(sessionId: string | undefined): ParsedEvent[] {
    if (this.#started || sessionId === undefined) return [];
    this.#started = true;
    return [{ type: 'session_start', sessionId, synthesised: true }];
  }

  #parse(type: string, record: Members): ParsedEvent[] {
    const part = recordOf(record['part']);
    switch (type) {
      case 'step_start':
        this.#lastReason = undefined;
        this.#error = undefined;
        return [];
      case 'text':
      case 'reasoning': {
        const text = stringOf(part['text']) ?? '';
        const messageId = stringOf(part['messageID']);
        return [{ type: type === 'text' ? 'text' : 'thinking', text, delta: false, messageId }];
      }
      case 'tool_use':
        return toolEvents(part);
      case 'step_finish':
        this.#lastReason = stringOf(part['reason']);
        return [usageOf(part)];
      case 'error': {
        const { name, data } = recordOf(record['error']);
        const { message, statusCode } = recordOf(data);
        this.#error = stringOf(message) ?? stringOf(name) ?? 'error';
        return [
          { type: 'error', message: this.#error, fatal: true, code: stringOf(name), status: numberOf(statusCode) },
        ];
      }
      default:
        return [{ type: 'unknown', eventType: type }];
    }
  }
}

/** OpenCode writes a tool call and its result in one line. */
function toolEvents(part: Members): ParsedEvent[] {
  const id = stringOf(part['callID']) ?? stringOf(part['id']) ?? '';
  const { status, input, output, error } = recordOf(part['state']);
  const call: ParsedEvent = { type: 'tool_call', id, name: stringOf(part['tool']) ?? '', input };
  if (status !== 'completed' && status !== 'error') return [call];
  const text = stringOf(output) ?? stringOf(error) ?? '';
  return [call, { type: 'tool_result', id, output: text, isError: status === 'error' }];
}

function usageOf({ tokens, cost }: Members): ParsedEvent {
  const { input, output, reasoning, cache } = recordOf(tokens);
  const { read, write } = recordOf(cache);
  return {
    type: 'usage',
    scope: 'step',
    costUsd: numberOf(cost),
    usage: {
      inputTokens: numberOf(input) ?? 0,
      outputTokens: numberOf(output) ?? 0,
      cacheReadTokens: numberOf(read) ?? 0,
      cacheWriteTokens: numberOf(write) ?? 0,
      reasoningTokens: numberOf(reasoning),
    },
  };
}
