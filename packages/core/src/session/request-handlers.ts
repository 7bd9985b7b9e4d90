import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import type { ControlRequest, ControlRequestFrame } from './control-frames.ts';
import { requestIdOf } from './control-frames.ts';
import { Gate } from './gate.ts';

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

/** What serves the requests of a peer, and where the answers go. */
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
  abort(reason: Error): void;
  /** Fulfils when none is being served. */
  idle(): Promise<void>;
}

/** Makes what serves the requests of a peer with these handlers. */
export function createRequestHandlers({ handlers, send }: RequestHandlersOptions): RequestHandlers {
  const served = new Set<Running>();
  const idle = new Gate();

  function answer(running: Running, response: object): void {
    served.delete(running);
    if (served.size === 0) idle.open();
    if (running.cancelled !== undefined) return;
    try {
      // JSON leaves out what is undefined: an id that did not come, a payload there is none of.
      send({ type: 'control_response', response: { ...response, request_id: running.requestId } });
    } catch (error) {
      // The stream has ended: there is nobody to answer. A payload that JSON cannot express still owes an answer.
      if (!TransportError.is(error)) answer(running, failureOf(error));
    }
  }

  /** Ends it at once: its handler may ignore the signal and go on for ever. */
  function cancel(running: Running, reason: Error): void {
    running.cancel(reason);
    answer(running, {});
  }

  return {
    get running() {
      return served.size;
    },
    serve(frame) {
      const { request } = frame;
      const running = new Running(requestIdOf(frame));
      const succeed = (response: unknown) => answer(running, { subtype: 'success', response });
      const fail = (error: unknown) => answer(running, failureOf(error));
      try {
        if (!Object.hasOwn(handlers, request.subtype)) throw unsupported(request);
        const result = handlers[request.subtype]?.(request, running);
        if (!isThenable(result)) return succeed(result);
        served.add(running);
        result.then(succeed, fail);
      } catch (error) {
        fail(error);
      }
    },
    cancel(requestId) {
      for (const running of served) {
        if (running.requestId === requestId) cancel(running, new DOMException('cancelled by the peer', 'AbortError'));
      }
    },
    abort(reason) {
      for (const running of served) cancel(running, reason);
    },
    idle: async () => {
      if (served.size > 0) await idle.wait();
    },
  };
}

/** One request while it is served. Its controller is made only when the handler asks for the signal: it costs 2 us. */
class Running implements RequestContext {
  readonly requestId: unknown;
  /** Why it is not answered any more. */
  cancelled: Error | undefined;
  #controller: AbortController | undefined;

  constructor(requestId: unknown) {
    this.requestId = requestId;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled !== undefined) this.#controller.abort(this.cancelled);
    return this.#controller.signal;
  }

  cancel(reason: Error): void {
    this.cancelled = reason;
    this.#controller?.abort(reason);
  }
}

function failureOf(cause: unknown): object {
  const { message, code } = ControlError.from(cause);
  return { subtype: 'error', error: message, error_code: code === 'error' ? undefined : code };
}

function unsupported({ subtype }: ControlRequest): ControlError {
  return new ControlError(`Unsupported control request subtype: ${String(subtype)}`, { code: 'unsupported_request' });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
