import { cutText } from '@proto/core/framing';
import type { AgentBackend } from '../backends/backend.ts';
import type { Members } from '../parsers/members.ts';
import { type ExitInfo, exitMessage, exitReason, type ParserOutput } from '../parsers/output-parser.ts';
import type { AgentEvent, Outcome, ParsedEvent, ReaderStats, SessionResult, Usage } from './agent-event.ts';

export type OutputCounts = Omit<ReaderStats, 'events' | 'unknown'>;

// Limits the memory that a backend can cause this object to use. Above the limit, the oldest entries are removed.
const MAX_REMEMBERED = 1000;
const MAX_TYPE_LENGTH = 200;
// The events contain the whole answer, but the copy in the result must fit into a string.
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;
const OTHER_TYPES = '(other)';

/**
 * Puts a parser's events into the order that consumers rely on: one session start, each call before its result, each error only once, and the end of
 * the run as the last event. Also adds up the usage and collects the text of the result.
 */
export class EventOrder {
  readonly #exitCodes: AgentBackend['exitCodes'];
  #started = false;
  #sessionId: string | undefined;
  readonly #openCalls = new Set<string>();
  readonly #errors = new Set<string>();
  #lastError: string | undefined;
  #answer = '';
  #stepUsage: Usage | undefined;
  #sessionUsage: Usage | undefined;
  #stepCost: number | undefined;
  #outcome: Outcome | undefined;
  #outcomeRaw: Members | undefined;
  readonly #unknown = new Map<string, number>();
  #events = 0;

  constructor({ exitCodes }: Pick<AgentBackend, 'exitCodes'>) {
    this.#exitCodes = exitCodes;
  }

  /** Each record yields at least one event. */
  *take(outputs: readonly ParserOutput[], raw?: Members): Generator<AgentEvent> {
    const origin = raw === undefined ? {} : { raw };
    const before = this.#events;
    for (const output of outputs) {
      if (output.type === 'outcome') {
        this.#outcome = output.outcome;
        this.#outcomeRaw = raw;
      } else {
        for (const event of this.#inOrder(output)) {
          this.#events++;
          yield { ...event, ...origin };
        }
      }
    }
    if (raw === undefined || this.#events > before) return;
    this.#events++;
    yield { type: 'info', eventType: eventTypeOf(raw), raw };
  }

  /** Call this method only once. `wasReported` means that the output said how the run ended, before the end of the output was parsed. */
  complete(exit: ExitInfo, counts: OutputCounts, wasReported: boolean): AgentEvent {
    const { exitCode, signal } = exit;
    const outcome = this.#outcome ?? { reason: exitReason(exit, this.#exitCodes) };
    const reason = this.#refinedByExit(outcome.reason, exit);
    const ok = reason === 'success';
    const result: SessionResult = {
      ...outcome,
      ok,
      reason,
      text: outcome.text ?? this.#answer,
      sessionId: outcome.sessionId ?? this.#sessionId,
      usage: this.#sessionUsage ?? this.#stepUsage,
      costUsd: outcome.costUsd ?? this.#stepCost,
      error: ok ? undefined : (outcome.error ?? this.#lastError ?? exitMessage(exit)),
      exitCode,
      signal,
      terminalEventSeen: this.#outcome !== undefined && wasReported,
      stats: { ...counts, events: this.#events + 1, unknown: Object.fromEntries(this.#unknown) },
    };
    const raw = this.#outcomeRaw;
    const isSaid = result.terminalEventSeen;
    return { type: 'complete', result, ...(raw !== undefined && { raw }), ...(!isSaid && { synthesised: true }) };
  }

  get hasOutcome(): boolean {
    return this.#outcome !== undefined;
  }

  #refinedByExit(reason: Outcome['reason'], exit: ExitInfo): Outcome['reason'] {
    if (reason !== 'error') return reason;
    const byExit = exitReason(exit, this.#exitCodes);
    return exit.aborted || byExit === 'max_turns' ? byExit : reason;
  }

  *#inOrder(event: ParsedEvent): Generator<ParsedEvent> {
    switch (event.type) {
      case 'session_start': {
        const { sessionId = this.#sessionId } = event;
        if (this.#started && sessionId === this.#sessionId) return;
        this.#started = true;
        this.#sessionId = sessionId;
        break;
      }
      case 'text':
        if (event.text === '') return;
        if (event.parentId === undefined && this.#answer.length < MAX_ANSWER_LENGTH) this.#answer += event.text;
        break;
      case 'thinking':
        if (event.text === '') return;
        break;
      case 'tool_call':
        // Some backends report a call both when it begins and when it ends.
        if (this.#openCalls.has(event.id)) return;
        this.#openCalls.add(event.id);
        if (this.#openCalls.size > MAX_REMEMBERED) this.#forgetCall();
        if (event.parentId === undefined) this.#answer = '';
        break;
      case 'tool_result':
        if (!this.#openCalls.delete(event.id)) {
          const { id, parentId } = event;
          yield { type: 'tool_call', id, name: 'unknown', input: {}, parentId, synthesised: true };
        }
        break;
      case 'usage':
        if (event.scope === 'step') {
          this.#stepUsage = sum(this.#stepUsage, event.usage);
          if (event.costUsd !== undefined) this.#stepCost = (this.#stepCost ?? 0) + event.costUsd;
        } else this.#sessionUsage = sum(this.#sessionUsage, event.usage);
        break;
      case 'error':
        this.#lastError = event.message;
        if (this.#errors.has(event.message)) return;
        if (this.#errors.size < MAX_REMEMBERED) this.#errors.add(event.message);
        break;
      case 'unknown':
        this.#count(event.eventType);
        break;
      default:
    }
    yield event;
  }

  #forgetCall(): void {
    for (const oldest of this.#openCalls) {
      this.#openCalls.delete(oldest);
      return;
    }
  }

  #count(eventType: string): void {
    const name = cutText(eventType, MAX_TYPE_LENGTH);
    const key = this.#unknown.has(name) || this.#unknown.size < MAX_REMEMBERED ? name : OTHER_TYPES;
    this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
  }
}

function sum(a: Usage | undefined, b: Usage): Usage {
  if (a === undefined) return b;
  const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0);
  const isReported = a.reasoningTokens !== undefined || b.reasoningTokens !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: isReported ? reasoning : undefined,
  };
}

function eventTypeOf({ type, subtype }: Members): string {
  const name = typeof type === 'string' ? type : '';
  return typeof subtype === 'string' ? `${name}/${subtype}` : name;
}
