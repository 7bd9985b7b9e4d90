import type { ParsedEvent } from '../events/agent-event.ts';
import { StreamedText } from '../messages/streamed-text.ts';
import { contentText, isRecord, type Members, numberOf, recordOf, recordsOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

/** The backend for Pi, which exits with 0 even if an API error occurred or it received no prompt. */
export const pi = defineBackend({
  name: 'pi',
  command: 'pi',
  outputFormat: 'pi-json',
  args: ({ model }) => ['--mode', 'json', ...(model === undefined ? [] : ['--model', model])],
  createParser: () => new PiParser(),
});

const KNOWN = new Set(
  `agent_start turn_start message_start auto_retry_end queue_update entry_appended session_info_changed`.split(/\s+/),
);
const UPDATES = new Set(['done', 'error', 'start']);

class PiParser implements OutputParser {
  readonly #streamed = new StreamedText();
  // The stop reason of the last reply.
  #stopReason: string | undefined;
  #error: string | undefined;

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    switch (type) {
      case 'session':
        return [{ type: 'session_start', sessionId: stringOf(record['id']), cwd: stringOf(record['cwd']) }];
      case 'message_update':
        return this.#update(recordOf(record['assistantMessageEvent']));
      case 'message_end':
        return this.#messageEnd(recordOf(record['message']));
      case 'tool_execution_start':
      case 'tool_execution_update':
      case 'tool_execution_end':
        return parseTool(type, record);
      case 'turn_end':
        return usageOf(recordOf(recordOf(record['message'])['usage']));
      case 'auto_retry_start':
        return [retryOf(record)];
      case 'agent_end':
        // This record ends the run in versions without `agent_settled`. These versions do not report retries.
        return record['willRetry'] === true ? [] : [this.#outcome()];
      case 'agent_settled':
        return [this.#outcome()];
      default:
        if (typeof type !== 'string') return null;
        return KNOWN.has(type) || type.startsWith('compaction_') ? [] : [{ type: 'unknown', eventType: type }];
    }
  }

  #update(event: Members): ParsedEvent[] {
    const kind = stringOf(event['type']) ?? '';
    const [, type, phase] = /^(text|thinking|toolcall)_(start|delta|end)$/.exec(kind) ?? [];
    if (type === undefined) return UPDATES.has(kind) ? [] : [{ type: 'unknown', eventType: `message_update/${kind}` }];
    if (phase !== 'delta' || (type !== 'text' && type !== 'thinking')) return [];
    const text = stringOf(event['delta']) ?? '';
    this.#streamed.add(type, event['contentIndex'], text);
    return [{ type, text, delta: true }];
  }

  #messageEnd({ role, content, stopReason, errorMessage }: Members): ParsedEvent[] {
    if (role !== 'assistant') return [];
    const events = recordsOf(content).flatMap((block) => this.#whole(block));
    this.#streamed.clear();
    this.#stopReason = stringOf(stopReason);
    this.#error = undefined;
    if (stopReason !== 'error' && stopReason !== 'aborted') return events;
    this.#error = stringOf(errorMessage) ?? stopReason;
    return [...events, { type: 'error', message: this.#error, fatal: false }];
  }

  #whole(block: Members): ParsedEvent[] {
    const { type } = block;
    if (type !== 'text' && type !== 'thinking') return [];
    const whole = stringOf(block[type]) ?? '';
    const text = this.#streamed.unsaid(type, whole);
    return [{ type, text, delta: text !== whole }];
  }

  #outcome(): ParserOutput {
    const error = this.#error;
    if (this.#stopReason === 'aborted') return { type: 'outcome', outcome: { reason: 'aborted', error } };
    if (error !== undefined) return { type: 'outcome', outcome: { reason: 'error', error } };
    return { type: 'outcome', outcome: { reason: 'success' } };
  }
}

function parseTool(type: string, record: Members): ParsedEvent[] {
  const { toolCallId, toolName, args, partialResult, result, isError } = record;
  const id = stringOf(toolCallId) ?? '';
  if (type === 'tool_execution_start') {
    return [{ type: 'tool_call', id, name: stringOf(toolName) ?? '', input: args }];
  }
  const { content } = recordOf(partialResult ?? result);
  if (type === 'tool_execution_update') return [{ type: 'tool_progress', id, output: contentText(content) }];
  return [{ type: 'tool_result', id, output: contentText(content), isError: isError === true, content: result }];
}

function retryOf({ attempt, maxAttempts, delayMs, errorMessage }: Members): ParsedEvent {
  return {
    type: 'retry',
    attempt: numberOf(attempt),
    max: numberOf(maxAttempts),
    delayMs: numberOf(delayMs),
    message: stringOf(errorMessage),
  };
}

function usageOf(usage: Members): ParsedEvent[] {
  const { input, output, cacheRead, cacheWrite, cost } = usage;
  if (!isRecord(cost) && numberOf(input) === undefined) return [];
  return [
    {
      type: 'usage',
      scope: 'step',
      costUsd: numberOf(recordOf(cost)['total']),
      usage: {
        inputTokens: numberOf(input) ?? 0,
        outputTokens: numberOf(output) ?? 0,
        cacheReadTokens: numberOf(cacheRead) ?? 0,
        cacheWriteTokens: numberOf(cacheWrite) ?? 0,
      },
    },
  ];
}
