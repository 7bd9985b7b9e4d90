import { ControlError, type Issue, ProtocolError } from '../errors.ts';
import type { WireMessage } from '../framing/json-line.ts';
import type { ControlAnswers, ControlRequests } from '../messages/message-types.ts';
import { onAbort } from '../transport/async/callbacks.ts';
import { TransportError } from '../transport/error.ts';
import { Uuids } from '../transport/lines/uuids.ts';
import { type ControlRequest, isRecord, requestIdOf } from './control-frames.ts';
import { issuesBy, type Schema } from './schema.ts';

/** The payload of the answer to a request of that subtype, as it is declared. Not checked, unless the request brings a schema. */
export type AnswerTo<Subtype> = Subtype extends keyof ControlAnswers ? ControlAnswers[Subtype] : unknown;

/** A subtype that is none of the declared ones; where it is known only at run time, any. */
export type Undeclared<Subtype, Declared = keyof ControlRequests> = Subtype extends Declared ? never : Subtype;

/** The type itself, but where a result has it, nothing is concluded from the place that the result is assigned to. */
export type NotInferred<Type> = Type extends infer Same ? Same : never;

/** How many ids of the caller's own choosing are remembered when their requests are over. */
export const DEFAULT_MAX_REMEMBERED_IDS = 1000;

/** What frames are written with, and how many ids are remembered. */
export interface PendingRequestsOptions {
  /** Writes a frame, in order: `(frame) => outbound.enqueue(frame)`. What it throws rejects the request. */
  readonly send: (frame: WireMessage) => void;
  /** Default `DEFAULT_MAX_REMEMBERED_IDS`; the oldest is forgotten first. */
  readonly maxRememberedIds?: number;
}

/** How long one request waits, and how its answer is checked. */
export interface RequestOptions<T = unknown> {
  /**
   * Checks the payload of the answer: any schema of zod or of Standard Schema, or an object with a `safeParse` of its own. A payload that
   * does not fit rejects the request; one that does is handed on itself, unchanged. A schema that takes its time is waited for, and as the
   * request has its answer then, neither `signal` nor `timeoutMs` ends that.
   */
  readonly schema?: Schema<T>;
  /** Aborting cancels the request at the peer and rejects it at once with `signal.reason`. */
  readonly signal?: AbortSignal;
  /**
   * Cancels the request after this long, and rejects it with a `TransportError` of code `timeout`. Default: no limit, and
   * so from 2 ** 31 on, which no timer can tell.
   */
  readonly timeoutMs?: number;
  /** Default: a new id. */
  readonly requestId?: string;
}

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly requestId: string;
  readonly request: ControlRequest;
  readonly schema: Schema<unknown> | null;
}

/**
 * What an answer was: `settled`, a request waited for it · `late`, its request is over: cancelled, or answered before · `unknown`,
 * nobody here asked · `invalid`, it names no request.
 */
export type Settlement = 'settled' | 'late' | 'unknown' | 'invalid';

/** What sends control requests. A declared subtype knows its members and its answer; of another the caller says what it expects. */
export interface RequestSender {
  /**
   * Sends a control request and gives the payload of its answer, `{}` where a success has none. Rejects with a `ControlError`
   * when the peer answers with an error, a `ProtocolError` when the answer does not fit, a `TransportError` when the link ends.
   * Of a subtype that is not declared, the type of the answer is what the caller says: `request<Plan>({ subtype: 'get_plan' })`.
   */
  request<Answer = unknown, Subtype extends string = string>(
    request: ControlRequest & { readonly subtype: Undeclared<Subtype> },
    options?: RequestOptions<Answer>,
  ): Promise<Answer>;
  // The last one, as this is the one whose complaint a compiler shows.
  request<Subtype extends keyof ControlRequests, Answer = AnswerTo<Subtype>>(
    request: ControlRequests[Subtype] & { readonly subtype: Subtype },
    options?: RequestOptions<Answer>,
  ): Promise<NotInferred<Answer>>;
}

/** The control requests this side has sent and waits for: id to caller. */
export interface PendingRequests extends RequestSender {
  readonly size: number;
  /** Those that wait, in the order they were sent. */
  readonly list: readonly PendingRequest[];
  get(requestId: string): PendingRequest | undefined;
  /** An id for a request to come, for callers that must know it first. */
  createId(): string;
  /** Takes a `control_response` that came in. Never throws. */
  settle(message: WireMessage): Settlement;
  /**
   * Rejects what waits with the reason, and later requests as `closed`. Where it is of code `closed`, a permission that an agent waits
   * for rejects with the words that hosts and transcripts know, and the reason as the cause.
   */
  close(reason: unknown): void;
}

interface Entry extends PendingRequest {
  resolve(payload: unknown): void;
  reject(reason: unknown): void;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  readonly forget: (() => void) | undefined;
}

/** Creates the pending requests of one side. Give `settle` each `control_response` that comes in. */
export function createPendingRequests(options: PendingRequestsOptions): PendingRequests {
  return new PendingRequestMap(options);
}

class PendingRequestMap implements PendingRequests {
  readonly #options: PendingRequestsOptions;
  readonly #ids = new Uuids();
  #entries = new Map<string, Entry>();
  #removed = 0;
  /** Ids of the caller's own choosing whose requests are over: `#ids` knows the others. Made for the first of them. */
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

  request<T>(request: ControlRequest, options?: RequestOptions<T>): Promise<T> {
    const answer = this.#ask(request, options) as Promise<T>;
    // A caller who does not wait for the answer has not asked to hear why there is none.
    answer.catch(() => {});
    return answer;
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
      entry.resolve(payloadOf(response, entry));
    } catch (error) {
      entry.reject(error);
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

  #ask(request: ControlRequest, options: RequestOptions = {}): Promise<unknown> {
    const { schema = null, signal, timeoutMs, requestId = this.#ids.next() } = options;
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new TransportError('closed', 'Stream closed', { cause: this.#closed.reason });
      signal?.throwIfAborted();
      if (this.#entries.has(requestId)) throw new TypeError(`request id ${requestId} is in use`);
      const onTimeout = () =>
        this.#cancel(entry, new TransportError('timeout', `no answer to ${request.subtype} within ${timeoutMs} ms`));
      const entry: Entry = {
        requestId,
        request,
        schema,
        resolve,
        reject,
        // A timer of more milliseconds would go off at once.
        timer: (timeoutMs as number) < 2 ** 31 ? setTimeout(onTimeout, timeoutMs) : undefined,
        forget: signal && onAbort(signal, () => this.#cancel(entry, signal.reason)),
      };
      // Before the frame is written: a link within one process may answer during the write.
      this.#entries.set(requestId, entry);
      try {
        this.#options.send({ type: 'control_request', request_id: requestId, request });
      } catch (error) {
        this.#remove(entry);
        reject(error);
      }
    });
  }

  #cancel(entry: Entry, reason: unknown): void {
    this.#remove(entry);
    try {
      this.#options.send({ type: 'control_cancel_request', request_id: entry.requestId });
    } catch {
      // The stream has ended, so there is nobody left to tell; the caller learns the reason below.
    }
    entry.reject(reason);
  }

  #remove({ requestId, timer, forget }: Entry): void {
    this.#entries.delete(requestId);
    // Each table of a map leads to the next one: once a table is old, no minor collection frees the later ones, nor what they held. With
    // 100 requests under way that took 12 % of the time.
    if (++this.#removed > 256 + this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#removed = 0;
    }
    clearTimeout(timer);
    forget?.();
    if (!this.#ids.issued(requestId)) this.#remember(requestId);
  }

  #remember(requestId: string): void {
    const { maxRememberedIds = DEFAULT_MAX_REMEMBERED_IDS } = this.#options;
    const remembered = (this.#remembered ??= new Set());
    remembered.add(requestId);
    if (remembered.size > maxRememberedIds) remembered.delete(remembered.values().next().value as string);
  }
}

function reasonFor({ request }: Entry, reason: unknown): unknown {
  if (request.subtype !== 'can_use_tool' || !TransportError.is(reason) || reason.code !== 'closed') return reason;
  return new TransportError('closed', 'Tool permission stream closed before response received', { cause: reason });
}

/** The payload of an answer, or a promise of it where its schema takes its time; throws what the request rejects with. Whatever is not a valid success is a failure. */
function payloadOf(response: Readonly<Record<string, unknown>>, { request, requestId, schema }: Entry): unknown {
  const { subtype } = request;
  const { error, error_code: code } = response;
  if (response['subtype'] === 'error' && typeof error === 'string') {
    throw new ControlError(error, { requestId, subtype, ...(typeof code === 'string' && { code }) });
  }
  const payload = response['response'] ?? {};
  const judge = (issues?: readonly Issue[]): unknown => {
    if (response['subtype'] === 'success' && issues === undefined) return payload;
    // Their paths begin at the payload, which is what the schema is for.
    throw new ProtocolError('invalid-message', `invalid answer to ${subtype}`, { issues: issues ?? [] });
  };
  const issues = schema === null ? undefined : issuesBy(schema, payload);
  return issues instanceof Promise ? issues.then(judge) : judge(issues);
}
