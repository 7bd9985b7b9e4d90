import type { WireMessage } from '@proto/core/framing';
import type { AgentEvent, AgentEventOf, SessionResult, Usage } from '../events/agent-event.ts';
import { ReplyWriter, wireUsage } from './reply-writer.ts';

/** The options of `toProtoMessages`, which add messages and members. */
export interface ProtoMessageOptions {
  /**
   * Whether to add `system` messages with the subtype `adapter_event` for events that have no message. Each record of the backend is then also added
   * to the first of its messages, as the member `raw`. Default false.
   */
  readonly raw?: boolean;
}

/**
 * Turns the events of a run into the messages that an agent of this protocol sends, ending with the `result`. Messages that do not come from a record
 * of the backend have the member `synthesised`. `session_id` is empty until the backend reports its session.
 */
export async function* toProtoMessages(
  events: AsyncIterable<AgentEvent>,
  { raw = false }: ProtoMessageOptions = {},
): AsyncGenerator<WireMessage, void, undefined> {
  const writer = new MessageWriter(raw);
  let lastRaw: unknown;
  for await (const event of events) {
    for (const message of writer.messages(event)) {
      const isFirst = raw && event.raw !== undefined && event.raw !== lastRaw;
      if (isFirst) lastRaw = event.raw;
      yield {
        ...message,
        ...(isFirst && { raw: event.raw }),
        session_id: writer.sessionId,
        uuid: crypto.randomUUID(),
      };
    }
  }
}

// Limits for open replies (several sub-agents may write at once) and for the errors in the result.
const MAX_REPLIES = 1000;
const MAX_ERRORS = 1000;

// Members that an `init` must contain but that other agents do not report.
const UNREPORTED = {
  apiKeySource: 'none',
  claude_code_version: '0.0.0',
  mcp_servers: [],
  permissionMode: 'default',
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
} as const;

class MessageWriter {
  readonly #withInfo: boolean;
  readonly #replies = new Map<string | undefined, ReplyWriter>();
  #sessionId = '';
  #started = false;
  #model = '';
  #errors: string[] = [];
  #stepUsage: Usage | undefined;
  #turns = 0;

  constructor(withInfo: boolean) {
    this.#withInfo = withInfo;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  *messages(event: AgentEvent): Generator<WireMessage> {
    switch (event.type) {
      case 'session_start':
        return yield this.#init(event);
      case 'info':
      case 'unknown':
        if (!this.#withInfo) return;
        return yield system('adapter_event', { event_type: event.eventType, known: event.type === 'info' });
      default:
    }
    if (!this.#started) yield this.#init({ type: 'session_start', synthesised: true });
    if (this.#replies.size > MAX_REPLIES) yield* this.#end(this.#replies.keys().next().value);
    switch (event.type) {
      case 'text':
      case 'thinking':
        return yield* this.#reply(event.parentId).text(event);
      case 'tool_call':
        return yield* this.#reply(event.parentId).toolCall(event);
      case 'tool_result':
        yield* this.#end(event.parentId);
        return yield toolResult(event);
      case 'tool_progress':
        return yield system('adapter_tool_progress', { tool_use_id: event.id, output: event.output ?? null });
      case 'usage':
        if (event.scope === 'step') this.#stepUsage = event.usage;
        if (this.#withInfo) yield system('adapter_event', { event_type: 'usage', known: true });
        return;
      case 'error':
        if (event.fatal && this.#errors.length < MAX_ERRORS) this.#errors.push(event.message);
        return yield system('adapter_error', {
          message: event.message,
          fatal: event.fatal,
          code: event.code ?? null,
          status: event.status ?? null,
        });
      case 'retry':
        return yield retry(event);
      case 'tag_event':
        yield* this.#end(undefined);
        return yield system('adapter_tag_event', {
          topic: event.topic,
          target: event.target ?? null,
          payload: event.payload,
        });
      case 'complete':
        for (const parentId of this.#replies.keys()) yield* this.#end(parentId);
        this.#sessionId = event.result.sessionId ?? this.#sessionId;
        return yield { ...this.#result(event.result), ...(event.synthesised && { synthesised: true }) };
    }
  }

  #init({ sessionId, model, cwd, tools, synthesised }: AgentEventOf<'session_start'>): WireMessage {
    this.#started = true;
    this.#sessionId = sessionId ?? this.#sessionId;
    this.#model = model ?? this.#model;
    const about = { cwd: cwd ?? '', tools: tools ?? [], model: this.#model };
    return system('init', { ...UNREPORTED, ...about, ...(synthesised && { synthesised }) });
  }

  #reply(parentId: string | undefined): ReplyWriter {
    let reply = this.#replies.get(parentId);
    if (reply === undefined) {
      reply = new ReplyWriter(parentId, this.#model, () => this.#takeUsage());
      this.#replies.set(parentId, reply);
      if (parentId === undefined) this.#turns++;
    }
    return reply;
  }

  *#end(parentId: string | undefined): Generator<WireMessage> {
    const reply = this.#replies.get(parentId);
    this.#replies.delete(parentId);
    if (reply !== undefined) yield* reply.end();
  }

  #takeUsage(): Usage | undefined {
    const usage = this.#stepUsage;
    this.#stepUsage = undefined;
    return usage;
  }

  #result(result: SessionResult): WireMessage {
    const { ok, reason, text, error, usage, costUsd = 0, turns = this.#turns, durationMs = 0, stats } = result;
    const about = {
      type: 'result',
      duration_ms: durationMs,
      duration_api_ms: 0,
      is_error: !ok,
      num_turns: turns,
      stop_reason: ok ? 'end_turn' : null,
      total_cost_usd: costUsd,
      usage: wireUsage(usage),
      modelUsage: {},
      permission_denials: [],
      adapter: { reason, malformed: stats.malformed, unknown: stats.unknown },
    };
    if (ok) return { ...about, subtype: 'success', result: text, terminal_reason: 'completed' };
    if (error !== undefined && !this.#errors.includes(error)) this.#errors.push(error);
    if (reason === 'max_turns') {
      return { ...about, subtype: 'error_max_turns', errors: this.#errors, terminal_reason: 'max_turns' };
    }
    const why = reason === 'aborted' ? { terminal_reason: 'aborted_streaming' } : {};
    return { ...about, subtype: 'error_during_execution', errors: this.#errors, ...why };
  }
}

function system(subtype: string, members: object): WireMessage {
  return { type: 'system', subtype, ...members };
}

function toolResult({ id, output, isError, content, parentId }: AgentEventOf<'tool_result'>): WireMessage {
  const result = { type: 'tool_result', tool_use_id: id, content: output, is_error: isError };
  return {
    type: 'user',
    message: { role: 'user', content: [result] },
    parent_tool_use_id: parentId ?? null,
    ...(content !== undefined && { tool_use_result: content }),
  };
}

function retry({ attempt = 0, max = 0, delayMs = 0, status, message }: AgentEventOf<'retry'>): WireMessage {
  return system('api_retry', {
    attempt,
    max_retries: max,
    retry_delay_ms: delayMs,
    error_status: status ?? null,
    error: message ?? 'unknown',
  });
}
