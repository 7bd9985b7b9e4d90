import { ControlError } from '../errors.ts';
import type { WireMessage } from '../framing/parse-line.ts';
import { TransportError } from '../transport/error.ts';
import type { ControlRequest, ControlRequestFrame } from './control-frames.ts';
import { requestIdOf } from './control-frames.ts';
import { Waiters } from './waiters.ts';

/** Requests of the peer that are served at once: 10 000. One more is refused. */
export const DEFAULT_MAX_SERVED_REQUESTS = 10_000;
/** The text of the requests that are served at once, in bytes: 64 MiB. A request that would pass it is refused. */
export const DEFAULT_MAX_SERVED_BYTES = 64 * 1024 * 1024;

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

/**
 * Serves one kind of control request. What it returns is the payload of the success answer, none for `undefined`; what it throws
 * is the text of an error answer. A value returned at once is answered at once, ahead of whatever the handler has queued.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- With `unknown` it could not stand where the answer is declared.
export type RequestHandler<Request = ControlRequest, Answer = any> = {
  // As a method, so that one which knows the members of its request may stand where any request is served.
  serve(request: Request, context: AnswerContext): Answer;
}['serve'];

/** What serves the requests of a peer, and where the answers go. */
export interface RequestHandlersOptions {
  /** By subtype; others are answered as unsupported. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /** Writes a frame, in order: `(frame) => outbound.enqueue(frame)`. */
  readonly send: (frame: WireMessage) => void;
  /** Whether there is room for one more answer. */
  readonly hasRoom: () => boolean;
  /** False leaves a request out when its turn comes, which then has no answer. */
  readonly isNew?: ((request: ControlRequestFrame) => boolean) | undefined;
  /** Default `DEFAULT_MAX_SERVED_REQUESTS`. */
  readonly maxServedRequests?: number | undefined;
  /** Default `DEFAULT_MAX_SERVED_BYTES`. */
  readonly maxServedBytes?: number | undefined;
}

/**
 * Serves control requests: each begins whatever else runs, and is answered once or, when cancelled, never. A request above the limits
 * is answered with an error and never handed to its handler. What counts is what handlers hold: a request counts until its handler
 * has returned, also one that the peer has taken back meanwhile.
 */
export interface RequestHandlers {
  /** How many are being served. */
  readonly running: number;
  /** How many wait because there is no room for their answers. */
  readonly waiting: number;
  /** Bytes of the requests that wait. */
  readonly bytes: number;
  /** A request came, and so many bytes of text. It waits for the next `serve`. */
  add(frame: ControlRequestFrame, bytes: number): void;
  /** Begins those that wait, in order, while there is room for answers. */
  serve(): void;
  /** The peer took a request back, or somebody else has answered it; an unknown id changes nothing. `text` says why. */
  cancel(requestId: unknown, text?: string): void;
  /** Whether the call comes from a handler, ahead of its first `await`. */
  readonly isInHandler: boolean;
  /** Aborts all that are being served, and begins none that waits. */
  abort(reason: Error): void;
  /** Fulfils when none waits or is being served. */
  idle(): Promise<void>;
}

/** Makes what serves the requests of a peer with these handlers. */
export function createRequestHandlers(options: RequestHandlersOptions): RequestHandlers {
  const { handlers, send, hasRoom, isNew } = options;
  const { maxServedRequests = DEFAULT_MAX_SERVED_REQUESTS, maxServedBytes = DEFAULT_MAX_SERVED_BYTES } = options;
  const held: Held = { requests: 0, bytes: 0 };
  const waiting = new Set<Entry>();
  const served = new Set<Entry>();
  // So that a cancel needs no search. Some peers use an id twice, or none. Few peers take a request back: it is made for the first
  // cancel and kept until nothing is open, as it was a tenth of what a request costs with 100 under way.
  let byId: Map<unknown, Set<Entry>> | undefined;
  const idle = new Waiters();
  let bytes = 0;
  let isInHandler = false;

  function call(entry: Entry): unknown {
    const { request } = entry.frame;
    const outer = isInHandler;
    isInHandler = true;
    try {
      return handlers[request.subtype]?.(request, entry);
    } finally {
      isInHandler = outer;
    }
  }

  function begin(entry: Entry): void {
    const { request } = entry.frame;
    unqueue(entry);
    served.add(entry);
    if (isNew?.(entry.frame) === false) return forget(entry);
    try {
      if (held.requests >= maxServedRequests || held.bytes + entry.bytes > maxServedBytes) {
        throw tooMany(maxServedRequests, maxServedBytes);
      }
      if (!Object.hasOwn(handlers, request.subtype)) throw unsupported(request);
      const result = call(entry);
      if (!isThenable(result)) return succeed(entry, result);
      entry.hold();
      // A promise of another make may call both, or one of them twice.
      Promise.resolve(result).then(
        (response) => {
          entry.release();
          succeed(entry, response);
        },
        (error) => {
          entry.release();
          fail(entry, error);
        },
      );
    } catch (error) {
      fail(entry, error);
    }
  }

  function unqueue(entry: Entry): void {
    if (waiting.delete(entry)) bytes -= entry.bytes;
  }

  function forget(entry: Entry): void {
    served.delete(entry);
    const namesakes = byId?.get(entry.requestId);
    namesakes?.delete(entry);
    if (namesakes?.size === 0) byId?.delete(entry.requestId);
    if (waiting.size + served.size > 0) return;
    byId = undefined;
    idle.open();
  }

  function succeed(entry: Entry, response: unknown): void {
    answer(entry, { subtype: 'success', response, request_id: entry.requestId });
  }

  function fail(entry: Entry, cause: unknown): void {
    const { message, code } = ControlError.from(cause);
    const error_code = code === 'error' ? undefined : code;
    answer(entry, { subtype: 'error', error: message, error_code, request_id: entry.requestId });
  }

  function answer(entry: Entry, response: object): void {
    if (entry.cancelled !== undefined) return;
    forget(entry);
    try {
      // JSON leaves out what is undefined: an id that did not come, a payload there is none of.
      send({
        type: 'control_response',
        response: entry.beside === undefined ? response : { ...entry.beside, ...response },
      });
    } catch (error) {
      // The stream has ended: there is nobody to answer. A payload that JSON cannot express still owes an answer.
      if (!TransportError.is(error)) fail(entry, error);
    }
  }

  /** Ends it at once: its handler may ignore the signal and go on for ever. */
  function cancel(entry: Entry, reason: Error): void {
    unqueue(entry);
    entry.cancel(reason);
    forget(entry);
  }

  function index(entry: Entry): void {
    byId?.set(entry.requestId, (byId.get(entry.requestId) ?? new Set()).add(entry));
  }

  return {
    get running() {
      return served.size;
    },
    get waiting() {
      return waiting.size;
    },
    get bytes() {
      return bytes;
    },
    get isInHandler() {
      return isInHandler;
    },
    add(frame, size) {
      const entry = new Entry(frame, size, held);
      index(entry);
      waiting.add(entry);
      bytes += size;
    },
    serve() {
      for (const entry of waiting) {
        if (!hasRoom()) break;
        begin(entry);
      }
    },
    cancel(requestId, text = 'cancelled by the peer') {
      if (byId === undefined) {
        byId = new Map();
        for (const entry of [...waiting, ...served]) index(entry);
      }
      for (const entry of byId.get(requestId) ?? []) {
        cancel(entry, new DOMException(text, 'AbortError'));
      }
    },
    abort(reason) {
      for (const entry of [...waiting, ...served]) cancel(entry, reason);
    },
    idle: async () => {
      if (waiting.size + served.size > 0) await idle.wait();
    },
  };
}

/** What handlers that have begun and not returned hold, whether or not their requests were taken back. */
interface Held {
  requests: number;
  bytes: number;
}

/** Counts a request as served until this settles too, for a handler that answers before all it has begun has returned. */
export function countUntil(context: RequestContext, settles: PromiseLike<unknown>): void {
  if (!(context instanceof Entry)) return;
  const release = () => context.release();
  context.hold();
  settles.then(release, release);
}

/** One request from its arrival to its answer. Its controller is made only when the handler asks for the signal: it costs 2 us. */
class Entry implements AnswerContext {
  readonly requestId: unknown;
  readonly frame: ControlRequestFrame;
  readonly bytes: number;
  /** Why it is not answered any more. */
  cancelled: Error | undefined;
  beside: Readonly<Record<string, unknown>> | undefined;
  #controller: AbortController | undefined;
  readonly #held: Held;
  #holds = 0;

  constructor(frame: ControlRequestFrame, bytes: number, held: Held) {
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

function unsupported({ subtype }: ControlRequest): ControlError {
  return new ControlError(`Unsupported control request subtype: ${String(subtype)}`, { code: 'unsupported_request' });
}

function tooMany(maxRequests: number, maxBytes: number): ControlError {
  const limits = `limits: ${maxRequests} requests, ${maxBytes} bytes`;
  return new ControlError(`Too many requests are being served (${limits}): ask again when some are answered`, {
    code: 'too_many_requests',
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
