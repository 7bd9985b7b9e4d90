import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import type { ControlRequest, ControlRequestFrame } from './control-frames.ts';
import { requestIdOf } from './control-frames.ts';

/** What a handler knows beside the request. */
export interface RequestContext {
  /** As it came; a request without one is answered without one. */
  readonly requestId: unknown;
  /** Aborts when the peer cancels the request, or the session ends. What the handler then returns is not sent. */
  readonly signal: AbortSignal;
}

/**
 * Serves one kind of control request. What it returns is the payload of the success answer, none for `undefined`; what it throws
 * is the text of an error answer. A value returned at once is answered at once, ahead of whatever the handler has queued.
 */
export type RequestHandler = (request: ControlRequest, context: RequestContext) => unknown;

export interface RequestHandlersOptions {
  /** By subtype; others are answered as unsupported. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /** Writes a frame, in order: `(frame) => outbound.enqueue(frame)`. */
  readonly send: (frame: WireMessage) => void;
}

/** Serves control requests: each is started when it comes, whatever else runs, and answered once or, when cancelled, never. */
export interface RequestHandlers {
  /** How many are being served. */
  readonly running: number;
  serve(frame: ControlRequestFrame): void;
  /** The peer took a request back; an unknown id changes nothing. */
  cancel(requestId: unknown): void;
  /** Aborts all that are being served. */
  abort(reason: unknown): void;
  /** Fulfils when none is being served. */
  idle(): Promise<void>;
}

export function createRequestHandlers(options: RequestHandlersOptions): RequestHandlers {
  return new RunningHandlers(options);
}

class RunningHandlers implements RequestHandlers {
  readonly #handlers: Readonly<Record<string, RequestHandler>>;
  readonly #send: (frame: WireMessage) => void;
  readonly #running = new Set<Running>();
  #idle: (() => void)[] = [];

  constructor({ handlers, send }: RequestHandlersOptions) {
    this.#handlers = handlers;
    this.#send = send;
  }

  get running(): number {
    return this.#running.size;
  }

  serve(frame: ControlRequestFrame): void {
    const { request } = frame;
    const running = new Running(requestIdOf(frame));
    const handler = Object.hasOwn(this.#handlers, request.subtype) ? this.#handlers[request.subtype] : undefined;
    if (handler === undefined) return this.#fail(running, unsupported(request));
    try {
      const result = handler(request, running);
      if (!isThenable(result)) return this.#succeed(running, result);
      this.#running.add(running);
      result.then(
        (payload) => this.#settle(running, () => this.#succeed(running, payload)),
        (error) => this.#settle(running, () => this.#fail(running, error)),
      );
    } catch (error) {
      this.#fail(running, error);
    }
  }

  cancel(requestId: unknown): void {
    for (const running of this.#running) {
      if (running.requestId === requestId) running.cancel(new DOMException('cancelled by the peer', 'AbortError'));
    }
  }

  abort(reason: unknown): void {
    for (const running of this.#running) running.cancel(reason);
  }

  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #settle(running: Running, answer: () => void): void {
    this.#running.delete(running);
    if (!running.cancelled) answer();
    if (this.running === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #succeed(running: Running, payload: unknown): void {
    try {
      const response = { subtype: 'success', ...running.echo, ...(payload !== undefined && { response: payload }) };
      this.#send({ type: 'control_response', response });
    } catch (error) {
      // A payload that JSON cannot express still owes an answer.
      if (!TransportError.is(error)) this.#fail(running, error);
    }
  }

  #fail(running: Running, cause: unknown): void {
    const { message, code } = ControlError.from(cause);
    const response = {
      subtype: 'error',
      ...running.echo,
      error: message,
      ...(code !== 'error' && { error_code: code }),
    };
    try {
      this.#send({ type: 'control_response', response });
    } catch (error) {
      // The stream has ended: there is nobody to answer.
      if (!TransportError.is(error)) throw error;
    }
  }
}

/** One request while it is served. Its controller is made only when the handler asks for the signal: it costs 2 us. */
class Running implements RequestContext {
  readonly requestId: unknown;
  #controller: AbortController | undefined;
  #cancelled: { readonly reason: unknown } | undefined;

  constructor(requestId: unknown) {
    this.requestId = requestId;
  }

  get echo(): { readonly request_id?: unknown } {
    return this.requestId === undefined ? {} : { request_id: this.requestId };
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled !== undefined) this.#controller.abort(this.#cancelled.reason);
    return this.#controller.signal;
  }

  cancel(reason: unknown): void {
    this.#cancelled ??= { reason };
    this.#controller?.abort(reason);
  }
}

function unsupported(request: ControlRequest): ControlError {
  const text = `Unsupported control request subtype: ${String(request.subtype)}`;
  return new ControlError(text, { code: 'unsupported_request' });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
