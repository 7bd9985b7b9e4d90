import { type ControlRequestFrame, requestIdOf } from './control-frames.ts';

/** The second argument of a handler. The first argument is the request. */
export interface RequestContext {
  /** The id of the request, as it arrived. A request without an id is answered without an id. */
  readonly requestId: unknown;
  /**
   * Aborts when the peer cancels the request, another client answers it, or the session ends. A value that the handler returns after that is not
   * sent.
   */
  readonly signal: AbortSignal;
}

/** The functions that a handler may use in addition to returning the payload of its answer. */
export interface AnswerContext extends RequestContext {
  /** Adds members to the answer next to its payload, whether the answer is a success or an error. */
  addResponseMembers(members: Readonly<Record<string, unknown>>): void;
}

/** The requests whose handlers have begun but not returned, whether cancelled or not. */
export interface HeldByHandlers {
  requests: number;
  bytes: number;
}

/** The abort controller is created only when the handler reads `signal`, because creating it takes 2 µs. */
export class ServedRequest implements AnswerContext {
  readonly requestId: unknown;
  readonly frame: ControlRequestFrame;
  readonly bytes: number;
  /** Why the request will not be answered. */
  cancelled: Error | undefined;
  /** The members that the handler adds to its answer. */
  extra: Readonly<Record<string, unknown>> | undefined;
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

  addResponseMembers(members: Readonly<Record<string, unknown>>): void {
    this.extra = { ...this.extra, ...members };
  }

  cancel(reason: Error): void {
    this.cancelled = reason;
    this.#controller?.abort(reason);
  }
}

/** Counts a request as served until a promise settles, for a handler that answers before all of its work is done. */
export function countUntil(context: RequestContext, settles: PromiseLike<unknown>): void {
  if (!(context instanceof ServedRequest)) return;
  const release = () => context.release();
  context.hold();
  settles.then(release, release);
}
