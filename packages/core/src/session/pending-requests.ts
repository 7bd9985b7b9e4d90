import { ControlError, type Issue, ProtocolError } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import type { ControlRequests } from '../messages/message-types.ts';
import type { AnswerTo, NotInferred } from '../messages/message-unions.ts';
import { callBack, onAbort } from '../transport/async/callbacks.ts';
import { checkDurations, setTimer } from '../transport/async/timer.ts';
import { TransportError } from '../transport/error.ts';
import { Uuids } from '../transport/lines/uuids.ts';
import { refused } from '../transport/queues/serial-queue.ts';
import { type ControlRequest, isRecord, requestIdOf } from './control-frames.ts';
import { type PendingRequest, type RequestOptions, WaitingRequest } from './pending-request.ts';
import { requireText } from './require-text.ts';
import { issuesBy } from './schema.ts';

// How many ids that callers chose are remembered after their requests have ended, so that a late answer is not mistaken for an unknown answer. The
// oldest id is dropped first.
const MAX_REMEMBERED_IDS = 1000;

/** The options of `createPendingRequests`. */
export interface PendingRequestsOptions {
  /**
   * Writes a frame after the frames of earlier calls, such as `(frame) => outbound.enqueue(frame)`. If the function throws, the request rejects with
   * the error.
   */
  readonly send: (frame: WireMessage) => void;
}

/**
 * How an answer was classified:
 * - `settled`: it settled a pending request
 * - `late`: the request was already cancelled or answered
 * - `unknown`: this side never sent the request
 * - `invalid`: the answer names no request
 */
export type Settlement = 'settled' | 'late' | 'unknown' | 'invalid';

/**
 * Sends control requests. A declared subtype has typed members and a typed answer. For any other subtype, the caller passes the type of the answer.
 */
export interface RequestSender {
  /**
   * Sends a control request and returns the payload of its answer, or `{}` for a success without a payload. For a subtype that is not declared, pass
   * the type of the answer: `request<Plan>({ subtype: 'get_plan' })`.
   *
   * @throws {ControlError} if the peer answers with an error
   * @throws {ProtocolError} `invalid-message` if the answer is not valid
   * @throws {TransportError} `timeout` after `timeoutMs`, `closed` after the end, or the error of the link if the link breaks
   * @throws {RangeError} if `timeoutMs` is not a number of at least 0
   * @throws {TypeError} if `requestId` is in use, or the request is not an object with a `subtype`
   */
  request<Answer = unknown, Subtype extends string = string>(
    request: ControlRequest & { readonly subtype: Exclude<Subtype, keyof ControlRequests> },
    options?: RequestOptions<Answer>,
  ): Promise<Answer>;
  // This overload comes last, because compilers report the error of the last overload.
  request<Subtype extends keyof ControlRequests, Answer = AnswerTo<Subtype>>(
    request: ControlRequests[Subtype] & { readonly subtype: Subtype },
    options?: RequestOptions<Answer>,
  ): Promise<NotInferred<Answer>>;
}

/** The control requests that this side has sent and that have not been answered yet. */
export interface PendingRequests extends RequestSender {
  /** How many requests are pending. */
  readonly size: number;
  /** The pending requests, in the order in which they were sent. */
  readonly list: readonly PendingRequest[];
  /** Finds a pending request by its id. */
  get(requestId: string): PendingRequest | undefined;
  /** Creates an id for a request, for callers that must know the id before they send. */
  createId(): string;
  /** Processes a `control_response` that has arrived. Never throws. */
  settle(message: WireMessage): Settlement;
  /**
   * Rejects every pending request with the reason, and later requests with a `TransportError` with the code `closed`. If the reason has the code
   * `closed`, a `can_use_tool` request rejects with an error whose text is the one that hosts and transcripts expect, and whose cause is the reason.
   */
  close(reason: unknown): void;
}

/** Creates the pending requests of one side. Pass each `control_response` that arrives to `settle`. */
export function createPendingRequests(options: PendingRequestsOptions): PendingRequests {
  return new PendingRequestMap(options);
}

// The empty map that all sessions share until they send a request. It is never written to. A separate empty map would take 180 bytes in each idle
// session.
const NO_ENTRIES = /* @__PURE__ */ new Map<string, WaitingRequest>();

class PendingRequestMap implements PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #ids = new Uuids();
  #entries: Map<string, WaitingRequest> = NO_ENTRIES;
  #removed = 0;
  /** The ids of ended requests, if callers chose them. `#ids` knows all other ids. The set is created for the first such id. */
  #remembered: Set<string> | undefined;
  #closed: { readonly reason: unknown } | undefined;

  constructor(options: PendingRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get list(): readonly PendingRequest[] {
    return [...this.#entries.values()];
  }

  get(requestId: string): PendingRequest | undefined {
    return this.#entries.get(requestId);
  }

  createId(): string {
    return this.#ids.next();
  }

  request<T>(request: ControlRequest, options: RequestOptions<T> = {}): Promise<T> {
    try {
      return this.#ask(request, options) as Promise<T>;
    } catch (error) {
      return refused(error);
    }
  }

  settle({ response }: WireMessage): Settlement {
    const requestId = isRecord(response) ? requestIdOf(response) : undefined;
    if (!isRecord(response) || typeof requestId !== 'string') return 'invalid';
    const entry = this.#entries.get(requestId);
    if (entry === undefined) {
      return this.#ids.issued(requestId) || this.#remembered?.has(requestId) ? 'late' : 'unknown';
    }
    this.#remove(entry);
    try {
      const value = payloadOf(response, entry);
      if (entry.onAnswer !== undefined) callOnAnswer(entry.onAnswer, { status: 'fulfilled', value });
      entry.resolve(value);
    } catch (reason) {
      if (entry.onAnswer !== undefined) callOnAnswer(entry.onAnswer, { status: 'rejected', reason });
      entry.reject(reason);
    }
    return 'settled';
  }

  close(reason: unknown): void {
    this.#closed ??= { reason };
    for (const entry of this.#entries.values()) {
      this.#remove(entry);
      entry.reject(reasonFor(entry, this.#closed.reason));
    }
  }

  #ask(request: ControlRequest, options: RequestOptions): Promise<unknown> {
    const { signal, timeoutMs, requestId = this.#ids.next() } = options;
    if (this.#closed) throw new TransportError('closed', 'Stream closed', { cause: this.#closed.reason });
    checkDurations({ timeoutMs });
    requireText(
      (request as Partial<ControlRequest> | null)?.subtype,
      'the subtype',
      "request({ subtype: 'interrupt' })",
    );
    signal?.throwIfAborted();
    if (this.#entries.has(requestId)) throw new TypeError(`the request id ${requestId} is already in use`);
    const entry = new WaitingRequest(requestId, request, options);
    if (signal !== undefined || timeoutMs !== undefined) entry.forget = this.#limit(entry, signal, timeoutMs);
    // Added before the frame is written, because a link within one process may answer during the write.
    if (this.#entries === NO_ENTRIES) this.#entries = new Map();
    this.#entries.set(requestId, entry);
    try {
      this.#options.send({ type: 'control_request', request_id: requestId, request });
    } catch (error) {
      this.#remove(entry);
      entry.reject(error);
    }
    return entry.answer;
  }

  #limit(entry: WaitingRequest, signal: AbortSignal | undefined, timeoutMs = Number.POSITIVE_INFINITY): () => void {
    const late = `no answer to ${entry.request.subtype} within ${timeoutMs} ms`;
    const onTimeout = () => this.#cancel(entry, new TransportError('timeout', late));
    const timer = setTimer(onTimeout, timeoutMs);
    const forget = signal === undefined ? () => {} : onAbort(signal, () => this.#cancel(entry, signal.reason));
    return () => {
      timer.clear();
      forget();
    };
  }

  #cancel(entry: WaitingRequest, reason: unknown): void {
    this.#remove(entry);
    try {
      this.#options.send({ type: 'control_cancel_request', request_id: entry.requestId });
    } catch {
      // The stream has ended, so the cancel cannot be sent. The caller receives the reason below.
    }
    entry.reject(reason);
  }

  #remove(entry: WaitingRequest): void {
    const { requestId, isChosen } = entry;
    this.#entries.delete(requestId);
    // V8 links each hash table of a map to the next. Once a table is in the old generation, minor collections free neither the later tables nor their
    // contents. With 100 open requests, that took 12 % of the time.
    if (++this.#removed > 256 + this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#removed = 0;
    }
    entry.forget?.();
    if (isChosen && !this.#ids.issued(requestId)) this.#remember(requestId);
  }

  #remember(requestId: string): void {
    const remembered = (this.#remembered ??= new Set());
    remembered.add(requestId);
    if (remembered.size > MAX_REMEMBERED_IDS) remembered.delete(remembered.values().next().value as string);
  }
}

function callOnAnswer(onAnswer: NonNullable<WaitingRequest['onAnswer']>, answer: PromiseSettledResult<unknown>): void {
  callBack(() => onAnswer(answer));
}

function reasonFor({ request }: WaitingRequest, reason: unknown): unknown {
  if (request.subtype !== 'can_use_tool' || !TransportError.is(reason) || reason.code !== 'closed') return reason;
  return new TransportError('closed', 'Tool permission stream closed before response received', { cause: reason });
}

/** If the answer is not a valid success, throws the error with which the request rejects. */
function payloadOf(
  response: Readonly<Record<string, unknown>>,
  { request, requestId, schema }: WaitingRequest,
): unknown {
  const { subtype } = request;
  const { error, error_code: code } = response;
  if (response['subtype'] === 'error' && typeof error === 'string') {
    throw new ControlError(error, { requestId, subtype, ...(typeof code === 'string' && { code }) });
  }
  const payload = response['response'] ?? {};
  const checked = (issues?: readonly Issue[]): unknown => {
    if (response['subtype'] === 'success' && issues === undefined) return payload;
    // The paths of the issues begin at the payload, because the schema describes the payload.
    throw new ProtocolError('invalid-message', `invalid answer to ${subtype}`, { issues: issues ?? [] });
  };
  const issues = schema === null ? undefined : issuesBy(schema, payload);
  return issues instanceof Promise ? issues.then(checked) : checked(issues);
}
