import { createHash } from 'node:crypto';
import type { Clock } from '@proto/core/reconnect';
import { checkDurations, systemClock } from '@proto/core/network';
import type { NotifyOptions, SettledQuestionData, WaitingQuestionData } from './notify-options.ts';
import { Webhook } from './webhook.ts';

const DEFAULT_AFTER_MS = 30_000;
/** Further questions are not reported. A session has at most 1000 open ones. */
const MAX_QUESTIONS = 100_000;

/** A question of an agent that is open in a session of this server. */
export interface OpenQuestion {
  readonly session: string;
  readonly title: string;
  readonly requestId: string;
  /** The id of the event with the question. A restarted agent may use the same request id again. */
  readonly eventId: string;
  readonly subtype: string;
  readonly toolName: string | undefined;
  readonly askedAt: number;
  /** Whether this or an earlier process has reported the question. */
  readonly wasReported: boolean;
  /** Called when the question has been reported, so that no later process reports it again. */
  onReported(): void;
}

interface Entry {
  question: OpenQuestion;
  timer: unknown;
  /** Prevents further attempts to report the question. */
  readonly settling: AbortController;
  /** Settles when no attempt to report the question is being made. Undefined if the question has not been reported. */
  report: Promise<void> | undefined;
}

export interface QuestionNotifierOptions extends NotifyOptions {
  readonly clock?: Clock | undefined;
  /** Whether this server still owns a session. Another server may have taken over while this process was suspended. */
  readonly isOwn: (session: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/** Reports each question that waits too long, once, and withdraws the report when the question is settled. */
export class QuestionNotifier {
  readonly #webhook: Webhook;
  readonly #afterMs: number;
  readonly #link: NotifyOptions['link'];
  readonly #clock: Clock;
  readonly #isOwn: QuestionNotifierOptions['isOwn'];
  readonly #onError: (error: unknown) => void;
  readonly #sessions = new Map<string, Map<string, Entry>>();
  readonly #closing = new AbortController();
  #size = 0;

  /** @throws {TypeError} for an address or a secret that cannot be used. @throws {RangeError} for a time that is not a number of at least 0. */
  constructor(options: QuestionNotifierOptions) {
    const { afterMs = DEFAULT_AFTER_MS, link, clock = systemClock, isOwn, onError, ...webhook } = options;
    checkDurations({ afterMs });
    this.#webhook = new Webhook({ ...webhook, clock, closing: this.#closing.signal });
    this.#afterMs = afterMs;
    this.#link = link;
    this.#clock = clock;
    this.#isOwn = isOwn;
    this.#onError = onError;
  }

  /** Also called with questions that are known, when their session is loaded again. */
  asked(question: OpenQuestion): void {
    const { session, requestId, eventId } = question;
    const entries = this.#sessions.get(session) ?? new Map<string, Entry>();
    const known = entries.get(requestId);
    if (known?.question.eventId === eventId) {
      known.question = { ...question, askedAt: known.question.askedAt };
      return;
    }
    if (known !== undefined) this.#drop(known);
    else if (this.#size >= MAX_QUESTIONS) return;
    else this.#size++;
    const report = question.wasReported ? Promise.resolve() : undefined;
    const entry: Entry = { question, timer: undefined, settling: new AbortController(), report };
    this.#sessions.set(session, entries.set(requestId, entry));
    if (question.wasReported) return;
    // The clock of the store may differ from the clock of this machine.
    const waitedMs = Math.max(0, this.#clock.now() - question.askedAt);
    const waitMs = Math.max(0, this.#afterMs - waitedMs);
    entry.timer = this.#clock.setTimeout(() => {
      if (this.#isOwn(session)) entry.report = this.#report(entry);
      else this.lost(session);
    }, waitMs);
  }

  settled(session: string, requestId: string, outcome: SettledQuestionData['outcome']): void {
    const entry = this.#sessions.get(session)?.get(requestId);
    if (entry === undefined) return;
    this.#forget(session, requestId);
    this.#drop(entry);
    if (entry.report !== undefined) void this.#withdraw(entry.question, outcome, entry.report);
  }

  /** Withdraws the reports of a session that has ended. */
  ended(session: string): void {
    for (const requestId of this.#sessions.get(session)?.keys() ?? []) this.settled(session, requestId, 'cancelled');
  }

  /** Forgets the questions of a session that another server has taken over, and that reports them from now on. */
  lost(session: string): void {
    for (const [requestId, entry] of this.#sessions.get(session) ?? []) {
      this.#forget(session, requestId);
      this.#drop(entry);
    }
  }

  /** Stops all work. The next process that serves the sessions reports what has not been reported. */
  close(): void {
    this.#closing.abort();
    for (const session of this.#sessions.keys()) this.lost(session);
  }

  #forget(session: string, requestId: string): void {
    const entries = this.#sessions.get(session);
    if (entries?.delete(requestId)) this.#size--;
    if (entries?.size === 0) this.#sessions.delete(session);
  }

  #drop({ timer, settling }: Entry): void {
    this.#clock.clearTimeout(timer);
    settling.abort();
  }

  async #report(entry: Entry): Promise<void> {
    const { session, title, requestId, eventId, subtype, toolName, askedAt } = entry.question;
    try {
      const data: WaitingQuestionData = {
        session_id: session,
        title,
        request_id: requestId,
        subtype,
        ...(toolName !== undefined && { tool_name: toolName }),
        asked_at: new Date(askedAt).toISOString(),
        ...(this.#link && { link: this.#link(session) }),
      };
      const id = messageId('waiting', session, eventId);
      await this.#webhook.deliver({ id, type: 'question.waiting', data }, entry.settling.signal);
      entry.question.onReported();
    } catch (error) {
      if (!entry.settling.signal.aborted) this.#onError(error);
    }
  }

  /** The report arrives before its withdrawal. */
  async #withdraw(
    { session, requestId, eventId }: OpenQuestion,
    outcome: SettledQuestionData['outcome'],
    report: Promise<void>,
  ): Promise<void> {
    try {
      await report;
      const data: SettledQuestionData = { session_id: session, request_id: requestId, outcome };
      const id = messageId('settled', session, eventId);
      await this.#webhook.deliver({ id, type: 'question.settled', data }, this.#closing.signal);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#onError(error);
    }
  }
}

/** The same for the same question in every process, so that the receiver can drop a message that arrives twice. */
function messageId(type: string, session: string, eventId: string): string {
  const named = JSON.stringify([type, session, eventId]);
  return `msg_${createHash('sha256').update(named).digest('hex').slice(0, 32)}`;
}
