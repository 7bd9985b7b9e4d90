import { type ControlRequestFrame, requestIdOf } from './control-frames.ts';

/** What a handler knows beside the request. */
export interface RequestContext {
  /** As it came; a request without one is answered without one. */
  readonly requestId: unknown;
  /** Aborts when the peer cancels the request, somebody else has answered it, or the session ends. What is then returned is not sent. */
  readonly signal: AbortSignal;
}

/** What a handler may do beside giving the payload of its answer. */
export interface AnswerContext extends RequestContext {
  /** Adds members to the answer beside its payload, whether it tells success or failure. */
  addBeside(members: Readonly<Record<string, unknown>>): void;
}

/** What handlers that have begun and not returned hold, whether or not the peer took their requests back. */
export interface HeldByHandlers {
  requests: number;
  bytes: number;
}

/** One request from its arrival to its answer. Its controller is made only when the handler asks for the signal, as that takes 2 us. */
export class ServedRequest implements AnswerContext {
  readonly requestId: unknown;
  readonly frame: ControlRequestFrame;
  readonly bytes: number;
  /** Why it is not answered any more. */
  cancelled: Error | undefined;
  beside: Readonly<Record<string, unknown>> | undefined;
  #controller: AbortController | undefined;
  readonly #held: HeldByHandlers;
  #holds = 0;

  constructor(frame: ControlRequestFrame, bytes: number, held: HeldByHandlers) {
    this.requestId = requestIdOf(frame);
    this.frame = frame;
    this.bytes = bytes;
    this.#held = held;
  }

  hold(): void {
    if (this.#holds++ > 0) return;
    this.#held.requests++;
    this.#held.bytes += this.bytes;
  }

  release(): void {
    if (--this.#holds > 0) return;
    this.#held.requests--;
    this.#held.bytes -= this.bytes;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled !== undefined) this.#controller.abort(this.cancelled);
    return this.#controller.signal;
  }

  addBeside(members: Readonly<Record<string, unknown>>): void {
    this.beside = { ...this.beside, ...members };
  }

  cancel(reason: Error): void {
    this.cancelled = reason;
    this.#controller?.abort(reason);
  }
}

/** Counts a request as served until this settles too, for a handler that answers before all it has begun has returned. */
export function countUntil(context: RequestContext, settles: PromiseLike<unknown>): void {
  if (!(context instanceof ServedRequest)) return;
  const release = () => context.release();
  context.hold();
  settles.then(release, release);
}
