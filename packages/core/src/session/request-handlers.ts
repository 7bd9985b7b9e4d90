import { ControlError, toControlError } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import { TransportError } from '../transport/error.ts';
import type { ControlRequest, ControlRequestFrame } from './control-frames.ts';
import { type AnswerContext, type HeldByHandlers, ServedRequest } from './served-request.ts';
import { Waiters } from '../transport/async/deferred.ts';

const DEFAULT_MAX_SERVED_REQUESTS = 10_000;
const DEFAULT_MAX_SERVED_BYTES = 64 * 1024 * 1024;

/**
 * Serves one kind of control request. The returned value is the payload of the success answer. `undefined` means that the answer has no payload. If
 * the handler throws, the text of the error becomes the text of an error answer. If the handler does not return a promise, its answer is sent before
 * the messages that it has queued.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- A handler of type `unknown` would not fit where the answer is declared.
export type RequestHandler<Request = ControlRequest, Answer = any> = {
  // Declared as a method, so that a handler for a typed request is assignable where a handler for any request is expected.
  serve(request: Request, context: AnswerContext): Answer;
}['serve'];

export interface RequestHandlersOptions {
  /** The handlers by subtype. A request with any other subtype is answered with an error with the code `unsupported_request`. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /** Writes a frame after the frames of earlier calls. */
  readonly send: (frame: WireMessage) => void;
  readonly hasRoom: () => boolean;
  /** If the callback returns `false`, the request is neither served nor answered. */
  readonly shouldServe?: ((request: ControlRequestFrame) => boolean) | undefined;
  /** Default 10 000. */
  readonly maxServedRequests?: number | undefined;
  /** In bytes of text. Default 64 MiB. */
  readonly maxServedBytes?: number | undefined;
}

/**
 * Requests run concurrently. Each request is answered once or, after a cancel, not at all. A request that exceeds the limits is answered with an
 * error and never reaches its handler. A request counts until its handler has returned, even after a cancel.
 */
export interface RequestHandlers {
  readonly running: number;
  /** How many requests are waiting until there is room for their answers. */
  readonly waiting: number;
  /** The bytes of the waiting requests. */
  readonly bytes: number;
  /** `bytes` is the size of the text. The request waits for the next `serve`. */
  add(frame: ControlRequestFrame, bytes: number): void;
  /** Starts the waiting requests, in order, as long as there is room for answers. */
  serve(): void;
  /** `text` is the reason. An unknown id changes nothing. */
  cancel(requestId: unknown, text?: string): void;
  /** True if this member is read within a handler, before the first `await` of the handler. */
  readonly isInHandler: boolean;
  /** Aborts all requests that are being served, and drops all waiting requests. */
  abort(reason: Error): void;
  idle(): Promise<void>;
}

export function createRequestHandlers(options: RequestHandlersOptions): RequestHandlers {
  return new RequestServer(options);
}

// The empty set that all sessions share until they receive a request. It is never written to. Two separate empty sets would take 360 bytes in each
// idle session.
const NO_REQUESTS = /* @__PURE__ */ new Set<ServedRequest>();

class RequestServer implements RequestHandlers {
  readonly #options: RequestHandlersOptions;
  readonly #held: HeldByHandlers = { requests: 0, bytes: 0 };
  #waiting = NO_REQUESTS;
  #served = NO_REQUESTS;
  /**
   * The requests by id, so that a cancel needs no search. Some peers use an id twice, or send no id. Few peers cancel requests, so this index is
   * created for the first cancel and kept until no request is open. With 100 open requests, the index caused a tenth of the cost of a request.
   */
  #byId: Map<unknown, Set<ServedRequest>> | undefined;
  readonly #idle = new Waiters();
  #isInHandler = false;
  bytes = 0;

  constructor(options: RequestHandlersOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#served.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get isInHandler(): boolean {
    return this.#isInHandler;
  }

  add(frame: ControlRequestFrame, bytes: number): void {
    const entry = new ServedRequest(frame, bytes, this.#held);
    this.#index(entry);
    if (this.#waiting === NO_REQUESTS) [this.#waiting, this.#served] = [new Set(), new Set()];
    this.#waiting.add(entry);
    this.bytes += bytes;
  }

  serve(): void {
    for (const entry of this.#waiting) {
      if (!this.#options.hasRoom()) break;
      this.#begin(entry);
    }
  }

  cancel(requestId: unknown, text = 'cancelled by the peer'): void {
    if (this.#byId === undefined) {
      this.#byId = new Map();
      for (const entry of [...this.#waiting, ...this.#served]) this.#index(entry);
    }
    for (const entry of this.#byId.get(requestId) ?? []) {
      this.#cancel(entry, new DOMException(text, 'AbortError'));
    }
  }

  abort(reason: Error): void {
    for (const entry of [...this.#waiting, ...this.#served]) this.#cancel(entry, reason);
  }

  async idle(): Promise<void> {
    if (this.#waiting.size + this.#served.size > 0) await this.#idle.wait();
  }

  #begin(entry: ServedRequest): void {
    this.#unqueue(entry);
    this.#served.add(entry);
    if (this.#options.shouldServe?.(entry.frame) === false) return this.#forget(entry);
    try {
      this.#refuseAboveLimits(entry);
      const result = this.#call(entry);
      if (!isThenable(result)) return this.#succeed(entry, result);
      entry.hold();
      // A promise from another library may call both callbacks, or call one of them twice.
      Promise.resolve(result).then(
        (response) => {
          entry.release();
          this.#succeed(entry, response);
        },
        (error) => {
          entry.release();
          this.#fail(entry, error);
        },
      );
    } catch (error) {
      this.#fail(entry, error);
    }
  }

  #refuseAboveLimits({ bytes }: ServedRequest): void {
    const { maxServedRequests = DEFAULT_MAX_SERVED_REQUESTS, maxServedBytes = DEFAULT_MAX_SERVED_BYTES } =
      this.#options;
    if (this.#held.requests < maxServedRequests && this.#held.bytes + bytes <= maxServedBytes) return;
    throw tooMany(maxServedRequests, maxServedBytes);
  }

  #call(entry: ServedRequest): unknown {
    const { request } = entry.frame;
    const { handlers } = this.#options;
    if (!Object.hasOwn(handlers, request.subtype)) throw unsupported(request);
    const outer = this.#isInHandler;
    this.#isInHandler = true;
    try {
      return handlers[request.subtype]?.(request, entry);
    } finally {
      this.#isInHandler = outer;
    }
  }

  #unqueue(entry: ServedRequest): void {
    if (this.#waiting.delete(entry)) this.bytes -= entry.bytes;
  }

  #forget(entry: ServedRequest): void {
    this.#served.delete(entry);
    const namesakes = this.#byId?.get(entry.requestId);
    namesakes?.delete(entry);
    if (namesakes?.size === 0) this.#byId?.delete(entry.requestId);
    if (this.#waiting.size + this.#served.size > 0) return;
    this.#byId = undefined;
    this.#idle.open();
  }

  #succeed(entry: ServedRequest, response: unknown): void {
    this.#answer(entry, { subtype: 'success', response, request_id: entry.requestId });
  }

  #fail(entry: ServedRequest, cause: unknown): void {
    const { message, code } = toControlError(cause);
    const error_code = code === 'error' ? undefined : code;
    this.#answer(entry, { subtype: 'error', error: message, error_code, request_id: entry.requestId });
  }

  #answer(entry: ServedRequest, response: object): void {
    if (entry.cancelled !== undefined) return;
    this.#forget(entry);
    try {
      // JSON leaves out undefined members, such as the id of a request without an id, or a missing payload.
      this.#options.send({
        type: 'control_response',
        response: entry.extra === undefined ? response : { ...entry.extra, ...response },
      });
    } catch (error) {
      // If the stream has ended, nobody can receive an answer. If JSON cannot represent the payload, the request still needs an answer.
      if (!TransportError.is(error)) this.#fail(entry, error);
    }
  }

  /** The handler of a cancelled request may ignore the signal and run forever, so the request ends at once. */
  #cancel(entry: ServedRequest, reason: Error): void {
    this.#unqueue(entry);
    entry.cancel(reason);
    this.#forget(entry);
  }

  #index(entry: ServedRequest): void {
    this.#byId?.set(entry.requestId, (this.#byId.get(entry.requestId) ?? new Set()).add(entry));
  }
}

function unsupported({ subtype }: ControlRequest): ControlError {
  return new ControlError(`Unsupported control request subtype: ${String(subtype)}`, { code: 'unsupported_request' });
}

function tooMany(maxRequests: number, maxBytes: number): ControlError {
  const limits = `limits: ${maxRequests} requests, ${maxBytes} bytes`;
  return new ControlError(`Too many requests are open (${limits}): try again after some of them have been answered`, {
    code: 'too_many_requests',
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
