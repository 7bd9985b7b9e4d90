import type { CompleteReason, ParsedEvent, Usage } from '../events/agent-event.ts';
import { StreamedText } from '../messages/streamed-text.ts';
import { contentText, isRecord, type Members, numberOf, recordOf, recordsOf, stringOf } from './members.ts';
import type { OutputParser, ParserOutput } from './output-parser.ts';

// The largest number of sub-agents whose text is kept. Above this number, the oldest entries are removed.
const MAX_THREADS = 1000;

/** How a program that writes Claude's format differs from Claude Code. */
export interface ClaudeDialect {
  /** Whether `input_tokens` includes tokens that were read from the cache. */
  readonly inputIncludesCache?: boolean;
  /** Whether the usage in each `assistant` line is final, and no line contains the total. In Claude Code, the usage in these lines is a snapshot. */
  readonly usagePerMessage?: boolean;
  /** Returns whether an error text means that the run was cancelled. Needed only for programs that do not report this in another way. */
  readonly isCancel?: (error: string) => boolean;
}

/** Creates a parser for Claude's JSON lines, with complete or partial messages. */
export function createClaudeParser(dialect: ClaudeDialect = {}): OutputParser {
  return new ClaudeParser(dialect);
}

const SYSTEM_WITHOUT_OUTPUT = new Set(
  `compact_boundary status control_request_progress model_refusal_fallback model_refusal_no_fallback local_command_output
  hook_started hook_progress hook_response plugin_install task_notification task_started task_updated task_progress
  background_tasks_changed thinking_tokens session_state_changed worker_shutting_down commands_changed notification
  files_persisted memory_recall elicitation_complete permission_denied mirror_error informational session_writes_lost
  model_fallback session_title_changed ui_invalidate`.split(/\s+/),
);
const OTHER = new Set(
  `auth_status tool_use_summary rate_limit_event prompt_suggestion conversation_reset command_lifecycle active_goal
  transcript_mirror keep_alive control_request control_response control_cancel_request`.split(/\s+/),
);
const STREAM = new Set(['message_start', 'content_block_stop', 'message_delta', 'message_stop', 'ping', 'error']);
const DELTAS = new Set(['input_json_delta', 'signature_delta', 'citations_delta', 'compaction_delta']);
const BLOCKS = new Set(
  `redacted_thinking image document search_result container_upload mcp_tool_listing compaction fallback`.split(/\s+/),
);

class ClaudeParser implements OutputParser {
  readonly #dialect: ClaudeDialect;
  // One entry for each sub-agent, because several sub-agents may stream at once.
  readonly #streamed = new Map<string | undefined, StreamedText>();
  #blocksBegun = 0;

  constructor(dialect: ClaudeDialect) {
    this.#dialect = dialect;
  }

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    if (typeof type !== 'string') return null;
    const parentId = stringOf(record['parent_tool_use_id']);
    switch (type) {
      case 'system':
        return parseSystem(record);
      case 'assistant':
        return this.#assistant(record, parentId);
      case 'user':
        return blocksOf(record).flatMap((block) => toolResult(block, parentId) ?? []);
      case 'stream_event':
        return this.#streamEvent(recordOf(record['event']), parentId);
      case 'tool_progress':
        return [{ type: 'tool_progress', id: stringOf(record['tool_use_id']) ?? '', parentId }];
      case 'result':
        return this.#result(record);
      default:
        return OTHER.has(type) ? [] : [{ type: 'unknown', eventType: type }];
    }
  }

  #assistant(record: Members, parentId: string | undefined): ParserOutput[] {
    const message = recordOf(record['message']);
    if (typeof record['error'] === 'string' || record['is_api_error_message'] === true) return [apiError(record)];
    const usage = this.#dialect.usagePerMessage && isRecord(message['usage']) ? [this.#usage(message, 'step')] : [];
    const blocks = blocksOf(record).flatMap((block) => this.#block(block, stringOf(message['id']), parentId));
    return [...usage, ...blocks];
  }

  #block(block: Members, messageId: string | undefined, parentId: string | undefined): ParsedEvent[] {
    const kind = stringOf(block['type']) ?? '';
    switch (kind) {
      case 'text':
      case 'thinking': {
        const whole = stringOf(block[kind]) ?? '';
        const text = this.#streamed.get(parentId)?.unsaid(kind, whole) ?? whole;
        return text === '' ? [] : [{ type: kind, text, delta: text !== whole, messageId, parentId }];
      }
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        return [
          {
            type: 'tool_call',
            id: stringOf(block['id']) ?? '',
            name: stringOf(block['name']) ?? '',
            input: block['input'],
            parentId,
          },
        ];
      default: {
        const result = toolResult(block, parentId);
        if (result !== undefined) return [result];
        return BLOCKS.has(kind) ? [] : [{ type: 'unknown', eventType: `assistant/${kind}` }];
      }
    }
  }

  #streamEvent(event: Members, parentId: string | undefined): ParsedEvent[] {
    const streamed = this.#streamed.get(parentId) ?? new StreamedText();
    this.#streamed.set(parentId, streamed);
    if (this.#streamed.size > MAX_THREADS) this.#streamed.delete(this.#streamed.keys().next().value);
    const { type } = event;
    if (type === 'message_start') streamed.clear();
    if (type === 'content_block_start') {
      this.#blocksBegun++;
      return this.#piece(streamed, recordOf(event['content_block']), parentId);
    }
    if (type === 'content_block_delta') {
      const delta = recordOf(event['delta']);
      const kind = stringOf(delta['type']) ?? '';
      if (kind === 'text_delta' || kind === 'thinking_delta') return this.#piece(streamed, delta, parentId);
      return DELTAS.has(kind) ? [] : [{ type: 'unknown', eventType: `stream_event/${kind}` }];
    }
    return STREAM.has(String(type)) ? [] : [{ type: 'unknown', eventType: `stream_event/${String(type)}` }];
  }

  /** The text is in the member that has the name of its kind: `text` or `thinking`. */
  #piece(streamed: StreamedText, holder: Members, parentId: string | undefined): ParsedEvent[] {
    for (const kind of ['text', 'thinking'] as const) {
      const text = holder[kind];
      if (typeof text !== 'string' || text === '') continue;
      streamed.add(kind, this.#blocksBegun, text);
      return [{ type: kind, text, delta: true, parentId }];
    }
    return [];
  }

  #result(record: Members): ParserOutput[] {
    this.#streamed.clear();
    const sessionId = stringOf(record['session_id']);
    const costUsd = numberOf(record['total_cost_usd']);
    const turns = numberOf(record['num_turns']);
    const durationMs = numberOf(record['duration_ms']);
    const usage = isRecord(record['usage']) ? [this.#usage(record, 'session')] : [];
    const text = stringOf(record['result']);
    // `subtype` cannot be used here, because it is `success` even if the API refused the request.
    if (record['is_error'] === false) {
      return [...usage, outcomeOf({ reason: 'success', text, sessionId, costUsd, turns, durationMs })];
    }
    const messages = errorMessages(record);
    const error = messages.at(-1);
    const reason = this.#reason(record, error);
    const status = numberOf(record['api_error_status']);
    const errors = messages.map((message): ParsedEvent => ({ type: 'error', message, fatal: true, status }));
    return [...usage, ...errors, outcomeOf({ reason, error, sessionId, costUsd, turns, durationMs })];
  }

  #reason({ subtype, terminal_reason }: Members, error = ''): CompleteReason {
    if (subtype === 'error_max_turns') return 'max_turns';
    const isAborted = stringOf(terminal_reason)?.startsWith('aborted') ?? false;
    return isAborted || this.#dialect.isCancel?.(error) ? 'aborted' : 'error';
  }

  #usage({ usage }: Members, scope: 'step' | 'session'): ParsedEvent {
    const counts = recordOf(usage);
    const cacheReadTokens = numberOf(counts['cache_read_input_tokens']) ?? 0;
    const input = numberOf(counts['input_tokens']) ?? 0;
    const normalised: Usage = {
      inputTokens: this.#dialect.inputIncludesCache ? Math.max(0, input - cacheReadTokens) : input,
      outputTokens: numberOf(counts['output_tokens']) ?? 0,
      cacheReadTokens,
      cacheWriteTokens: numberOf(counts['cache_creation_input_tokens']) ?? 0,
      reasoningTokens: numberOf(recordOf(counts['output_tokens_details'])['thinking_tokens']),
    };
    return { type: 'usage', usage: normalised, scope };
  }
}

function outcomeOf(outcome: Extract<ParserOutput, { type: 'outcome' }>['outcome']): ParserOutput {
  return { type: 'outcome', outcome };
}

function parseSystem(record: Members): ParsedEvent[] {
  const subtype = stringOf(record['subtype']) ?? '';
  if (subtype === 'init') {
    const { session_id, model, cwd, tools } = record;
    const names = Array.isArray(tools) ? tools.filter((tool) => typeof tool === 'string') : undefined;
    return [
      {
        type: 'session_start',
        sessionId: stringOf(session_id),
        model: stringOf(model),
        cwd: stringOf(cwd),
        tools: names,
      },
    ];
  }
  if (subtype === 'api_retry') {
    return [
      {
        type: 'retry',
        attempt: numberOf(record['attempt']),
        max: numberOf(record['max_retries']),
        delayMs: numberOf(record['retry_delay_ms']),
        message: stringOf(record['error']),
        status: numberOf(record['error_status']),
      },
    ];
  }
  return SYSTEM_WITHOUT_OUTPUT.has(subtype) ? [] : [{ type: 'unknown', eventType: `system/${subtype}` }];
}

/** The agent, not the model, writes a message after an error, so the text of this message is not an answer. */
function apiError(record: Members): ParsedEvent {
  const message = blocksOf(record)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n');
  const code = stringOf(record['error']);
  return {
    type: 'error',
    message: message || (code ?? 'API error'),
    fatal: false,
    code,
    status: numberOf(record['api_error_status']),
  };
}

function blocksOf({ message }: Members): readonly Members[] {
  const { content } = recordOf(message);
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content);
}

function toolResult(block: Members, parentId: string | undefined): ParsedEvent | undefined {
  const { type, tool_use_id, content, is_error } = block;
  if (typeof type !== 'string' || !type.endsWith('tool_result')) return undefined;
  const isError = is_error === true || (stringOf(recordOf(content)['type'])?.endsWith('_error') ?? false);
  return {
    type: 'tool_result',
    id: stringOf(tool_use_id) ?? '',
    output: contentText(content),
    isError,
    ...(typeof content !== 'string' && content !== undefined && { content }),
    parentId,
  };
}

/** Claude writes a list `errors`, Amp a string `error`, and Qwen an object `error`. The error for a refused request is in the member `result`. */
function errorMessages({ errors, error, result }: Members): string[] {
  const listed = Array.isArray(errors) ? errors.filter((message) => typeof message === 'string') : [];
  if (listed.length > 0) return listed;
  const message = stringOf(error) ?? stringOf(recordOf(error)['message']) ?? stringOf(result);
  return message === undefined ? [] : [message];
}
