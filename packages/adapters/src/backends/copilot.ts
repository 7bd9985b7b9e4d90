import type { ParsedEvent } from '../events/agent-event.ts';
import { StreamedText } from '../messages/streamed-text.ts';
import { type Members, numberOf, recordOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

/** The backend for GitHub Copilot CLI, which exits with 0 after signals and refused tools. */
export const copilot = defineBackend({
  name: 'copilot',
  command: 'copilot',
  outputFormat: 'copilot-jsonl',
  args: ({ model, resume, partial, autoApprove }) => [
    '--output-format',
    'json',
    '--no-auto-update',
    ...(partial === undefined ? [] : ['--stream', partial ? 'on' : 'off']),
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(autoApprove ? ['--allow-all-tools'] : []),
  ],
  createParser: () => new CopilotParser(),
});

// Each new version adds record types with these prefixes. None of these records contains model output.
const INFO =
  /^(?:session|model|user|system|subagent|skill|hook|permission|command|elicitation|mcp|sampling|external_tool|user_input|pending_messages)[._]/;
const KNOWN = new Set(
  `assistant.turn_start assistant.turn_end assistant.message_start assistant.tool_call_delta assistant.intent assistant.usage
  assistant.streaming_delta tool.user_requested tool.execution_progress`.split(/\s+/),
);

class CopilotParser implements OutputParser {
  readonly #streamed = new StreamedText();
  #aborted = false;
  #lastError: string | undefined;

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    if (typeof type !== 'string') return null;
    const data = recordOf(record['data']);
    const parentId = stringOf(data['parentToolCallId']);
    const messageId = stringOf(data['messageId']);
    switch (type) {
      case 'session.tools_updated':
        // The session id is not known yet: it is in the last record.
        return [{ type: 'session_start', model: stringOf(data['model']) }];
      case 'assistant.message_delta':
        return this.#piece('text', messageId, data, parentId);
      case 'assistant.reasoning_delta':
        return this.#piece('thinking', stringOf(data['reasoningId']), data, parentId);
      case 'assistant.reasoning':
        return this.#whole('thinking', stringOf(data['reasoningId']), data['content'], parentId);
      case 'assistant.message':
        return this.#whole('text', messageId, data['content'], parentId);
      case 'assistant.turn_retry':
        return [{ type: 'retry', message: stringOf(data['reason']) }];
      case 'session.error': {
        const { message, errorType, statusCode } = data;
        this.#lastError = stringOf(message) ?? 'error';
        const [code, status] = [stringOf(errorType), numberOf(statusCode)];
        return [{ type: 'error', message: this.#lastError, fatal: true, code, status }];
      }
      case 'abort':
      case 'agent.interrupted':
        this.#aborted = true;
        return [];
      case 'assistant.idle':
        if (data['aborted'] === true) this.#aborted = true;
        return [];
      case 'result':
        return [this.#result(record)];
      default:
        return parseTool(type, data, parentId) ?? (isKnown(type) ? [] : [{ type: 'unknown', eventType: type }]);
    }
  }

  #piece(
    type: 'text' | 'thinking',
    id: string | undefined,
    data: Members,
    parentId: string | undefined,
  ): ParsedEvent[] {
    const text = stringOf(data['deltaContent']) ?? '';
    this.#streamed.add(type, id, text);
    return [{ type, text, delta: true, messageId: id, parentId }];
  }

  #whole(
    type: 'text' | 'thinking',
    id: string | undefined,
    content: unknown,
    parentId: string | undefined,
  ): ParsedEvent[] {
    const whole = stringOf(content) ?? '';
    const text = this.#streamed.unsaid(type, whole, id);
    return [{ type, text, delta: text !== whole, messageId: id, parentId }];
  }

  #result({ sessionId, exitCode, usage }: Members): ParserOutput {
    const about = { sessionId: stringOf(sessionId), durationMs: numberOf(recordOf(usage)['sessionDurationMs']) };
    if (this.#aborted) return { type: 'outcome', outcome: { reason: 'aborted', ...about } };
    if (exitCode === 0) return { type: 'outcome', outcome: { reason: 'success', ...about } };
    return { type: 'outcome', outcome: { reason: 'error', error: this.#lastError, ...about } };
  }
}

function isKnown(type: string): boolean {
  return KNOWN.has(type) || INFO.test(type);
}

function parseTool(type: string, data: Members, parentId: string | undefined): ParsedEvent[] | undefined {
  const id = stringOf(data['toolCallId']) ?? '';
  switch (type) {
    case 'tool.execution_start':
      return [{ type: 'tool_call', id, name: stringOf(data['toolName']) ?? '', input: data['arguments'], parentId }];
    case 'tool.execution_partial_result':
    case 'tool.shell_output':
      return [
        { type: 'tool_progress', id, output: stringOf(data['partialOutput']) ?? stringOf(data['text']), parentId },
      ];
    case 'tool.execution_complete': {
      const { success, result, error } = data;
      const output = stringOf(recordOf(result)['content']) ?? stringOf(recordOf(error)['message']) ?? '';
      return [{ type: 'tool_result', id, output, isError: success !== true, content: result ?? error, parentId }];
    }
    default:
      return undefined;
  }
}
