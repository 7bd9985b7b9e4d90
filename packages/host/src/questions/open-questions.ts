import type { RequestContext } from '@proto/core';
import { countUntil } from '@proto/core/internal';

/**
 * A callback that answers a question, or returns `null` to answer later with `HostSession.respond`. The signal aborts when the agent cancels the
 * question, when the session ends, and when `respond` answers first.
 */
export type Ask<Request, Answer> = (
  request: Request,
  context: RequestContext,
) => Answer | null | Promise<Answer | null>;

// Placeholder for the promise of a callback until the callback has returned.
const RETURNED = Promise.resolve();

/** Each question is answered once: by the callback or by `respond`, whichever answers first. */
export class OpenQuestions {
  readonly #onChange: (open: number) => void;
  #open: Map<unknown, OpenQuestion> | undefined;

  /** `onChange` is called with the number of open questions each time a question is opened or closed. */
  constructor(onChange: (open: number) => void) {
    this.#onChange = onChange;
  }

  /** Rejects when the agent cancels the question or the session ends. If `giveUp` is called, the answer is `refusal`. */
  ask<Request, Answer>(
    request: Request,
    context: RequestContext,
    ask: Ask<Request, Answer>,
    refusal?: Answer,
  ): Promise<unknown> {
    const { requestId, signal } = context;
    return new Promise((resolve, reject) => {
      const question = new OpenQuestion({ context, resolve, reject, refusal, onClose: () => this.#close(requestId) });
      this.#open ??= new Map();
      this.#open.set(requestId, question);
      this.#onChange(this.#open.size);
      signal.addEventListener('abort', () => question.takeBack());
      question.await(async () => ask(request, { requestId, signal: AbortSignal.any([signal, question.elsewhere]) }));
    });
  }

  /** Returns `false` if no such question is open, because it was answered, cancelled or never asked. */
  respond(requestId: unknown, answer: unknown): boolean {
    const question = this.#open?.get(requestId);
    question?.respond(answer);
    return question !== undefined;
  }

  /** Questions without a `refusal` stay open. */
  giveUp(): void {
    for (const question of this.#open?.values() ?? []) question.giveUp();
  }

  #close(requestId: unknown): void {
    this.#open?.delete(requestId);
    this.#onChange(this.#open?.size ?? 0);
  }
}

interface QuestionParts {
  readonly context: RequestContext;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly refusal: unknown;
  readonly onClose: () => void;
}

class OpenQuestion {
  readonly #parts: QuestionParts;
  readonly #elsewhere = new AbortController();
  #asked: Promise<unknown> = RETURNED;
  // A question must be closed only once: because agents reuse ids, its id may later belong to another question.
  #isOpen = true;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** Aborts when `respond` or `giveUp` answers in place of the callback. */
  get elsewhere(): AbortSignal {
    return this.#elsewhere.signal;
  }

  /** Calls the callback, and uses its return value as the answer. */
  await(call: () => Promise<unknown>): void {
    const asked = call();
    this.#asked = asked;
    asked.then(
      (answer) => {
        if (answer !== null) this.#settle(answer);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  respond(answer: unknown): void {
    this.#settle(answer);
    this.#elsewhere.abort(new DOMException('answered elsewhere', 'AbortError'));
  }

  giveUp(): void {
    if (this.#parts.refusal === undefined) return;
    this.#abandon();
    this.respond(this.#parts.refusal);
  }

  takeBack(): void {
    this.#abandon();
    this.#fail(this.#parts.context.signal.reason);
  }

  /** The callback counts as running until it returns. Otherwise an agent that cancels its questions could start any number of callbacks. */
  #abandon(): void {
    countUntil(this.#parts.context, this.#asked);
  }

  #settle(answer: unknown): void {
    if (this.#isOpen) this.#parts.resolve(answer);
    this.#close();
  }

  #fail(error: unknown): void {
    this.#close();
    this.#parts.reject(error);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#parts.onClose();
  }
}
