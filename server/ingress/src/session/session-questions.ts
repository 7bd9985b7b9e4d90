import { requestIdOf } from '@proto/core/internal';
import { idOf } from '../json/values.ts';
import type { OpenQuestion, QuestionNotifier } from '../notify/question-notifier.ts';
import type { ControlRequests, OpenRequest, Resolution } from './control-requests.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionContext, SessionRecord } from './session-context.ts';

/** The requests of an agent that a person answers. */
const QUESTIONS = new Set(['can_use_tool', 'elicitation', 'request_user_dialog']);

interface SessionQuestionsOptions {
  readonly record: SessionRecord;
  readonly requests: ControlRequests;
  readonly now: () => number;
  /** The ids of the events whose questions have been reported. */
  readonly reported: readonly string[];
  /** Stores these ids. */
  readonly keep: (reported: readonly string[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Passes the open questions of a session to the notifier, and remembers which ones have been reported. */
export class SessionQuestions {
  readonly #notifier: QuestionNotifier;
  readonly #options: SessionQuestionsOptions;
  readonly #reported: Set<string>;
  #keeping: Promise<void> = Promise.resolve();

  constructor(notifier: QuestionNotifier, options: SessionQuestionsOptions) {
    this.#notifier = notifier;
    this.#options = options;
    this.#reported = new Set(options.reported);
  }

  /** Called after each event has been applied to the requests. */
  onEvent({ source, type, payload }: SessionEvent, resolution: Resolution | undefined): void {
    if (resolution?.asker === 'worker') {
      this.#notifier.settled(this.#options.record.id, resolution.requestId, resolution.outcome);
    } else if (source === 'worker' && type === 'control_request') {
      this.#read(idOf(requestIdOf(payload)));
    } else if (source === 'worker' && type === 'control_response') {
      // The answer to an `initialize` lists open questions.
      this.readAll();
    }
  }

  readAll(): void {
    for (const requestId of this.#options.requests.ofWorkerById.keys()) this.#read(requestId);
  }

  #read(requestId: string | undefined): void {
    const request = requestId === undefined ? undefined : this.#options.requests.ofWorkerById.get(requestId);
    if (requestId === undefined || request === undefined || !QUESTIONS.has(request.subtype)) return;
    this.#notifier.asked(this.#questionOf(requestId, request));
  }

  #questionOf(requestId: string, { eventId, subtype, toolName, askedAt }: OpenRequest): OpenQuestion {
    const { record, now } = this.#options;
    return {
      session: record.id,
      title: record.title,
      requestId,
      eventId,
      subtype,
      toolName,
      askedAt: askedAt ?? now(),
      wasReported: this.#reported.has(eventId),
      onReported: () => this.#keepReported(eventId),
    };
  }

  /** Only the ids of open questions are kept. */
  #keepReported(eventId: string): void {
    const { requests, keep, onError } = this.#options;
    const open = new Set(Array.from(requests.ofWorker, (request) => request.eventId));
    this.#reported.add(eventId);
    for (const id of this.#reported) if (!open.has(id)) this.#reported.delete(id);
    const reported = [...this.#reported];
    this.#keeping = this.#keeping.then(() => keep(reported)).catch(onError);
  }
}

/** Undefined if nobody is notified. `reported` is what `readState` has found. */
export function watchQuestions(
  { notifier, log, now, onError }: SessionContext,
  record: SessionRecord,
  requests: ControlRequests,
  reported: readonly string[] = [],
): SessionQuestions | undefined {
  if (notifier === undefined) return undefined;
  const keep = (events: readonly string[]) => log.writeDocument(record.id, 'reported', JSON.stringify({ events }));
  return new SessionQuestions(notifier, { record, requests, now, reported, keep, onError });
}
