import type { WireMessage } from '../framing/parse-line.ts';
import { ControlError, ProtocolError } from '../errors.ts';
import { TransportError } from '../transport/error.ts';
import { type ControlRequest, isRecord } from './control-frames.ts';
import { createUuids } from './uuids.ts';
import type { Schema } from './schema.ts';

/** Ids remembered beyond those that `createId` gave out: cancelled ones, and ids of the caller's own. */
export const DEFAULT_MAX_REMEMBERED_IDS = 1000;

export interface PendingRequestsOptions {
  /** Writes a frame, in order: `(frame) => outbound.enqueue(frame)`. What it throws rejects the request. */
  readonly send: (frame: WireMessage) => void;
  /** Default `DEFAULT_MAX_REMEMBERED_IDS`; the oldest is forgotten first. */
  readonly maxRememberedIds?: number;
}

export interface RequestOptions<T = unknown> {
  /** Checks the payload of the answer; one that does not fit rejects the request. The payload itself is handed on, unchanged. */
  readonly schema?: Schema<T>;
  /** Aborting cancels the request at the peer and rejects it at once with `signal.reason`. */
  readonly signal?: AbortSignal;
  /** Cancels the request after this long, and rejects it with a `TransportError` of code `timeout`. Default: no limit. */
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
 * What an answer was: `settled` a waiting request · `late`, its request was cancelled · `duplicate`, its request had one ·
 * `unknown`, nobody here asked · `invalid`, it names no request.
 */
export type Settlement = 'settled' | 'late' | 'duplicate' | 'unknown' | 'invalid';

/** The control requests this side has sent and waits for: id to caller. */
export interface PendingRequests {
  readonly size: number;
  get(requestId: string): PendingRequest | undefined;
  /** An id for a request to come, for callers that must know it first. */
  createId(): string;
  /**
   * Sends a control request and gives the payload of its answer, `{}` where a success has none. Rejects with a `ControlError`
   * when the peer answers with an error, a `ProtocolError` when the answer does not fit, a `TransportError` when the link ends.
   */
  request<T = unknown>(request: ControlRequest, options?: RequestOptions<T>): Promise<T>;
  /** Takes a `control_response` that came in. Never throws. */
  settle(message: WireMessage): Settlement;
  /** Rejects what waits with the reason, and later requests as `closed`. */
  close(reason: Error): void;
}

export function createPendingRequests(options: PendingRequestsOptions): PendingRequests {
  return new PendingMap(options);
}

interface Entry extends PendingRequest {
  resolve(payload: unknown): void;
  reject(reason: unknown): void;
  /** Frees the timer and the listener. */
  release(): void;
}

class PendingMap implements PendingRequests {
  readonly #send: (frame: WireMessage) => void;
  readonly #maxRemembered: number;
  readonly #ids = createUuids();
  readonly #entries = new Map<string, Entry>();
  readonly #remembered = new Map<string, 'late' | 'duplicate'>();
  #closed: Error | undefined;

  constructor({ send, maxRememberedIds = DEFAULT_MAX_REMEMBERED_IDS }: PendingRequestsOptions) {
    this.#send = send;
    this.#maxRemembered = maxRememberedIds;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(requestId: string): PendingRequest | undefined {
    return this.#entries.get(requestId);
  }

  createId(): string {
    return this.#ids.next();
  }

  request<T>(request: ControlRequest, options: RequestOptions<T> = {}): Promise<T> {
    const { schema = null, signal, timeoutMs, requestId = this.#ids.next() } = options;
    if (this.#closed) return Promise.reject(new TransportError('closed', 'Stream closed', { cause: this.#closed }));
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#entries.has(requestId)) return Promise.reject(new TypeError(`request id ${requestId} is in use`));
    return new Promise<unknown>((resolve, reject) => {
      const onAbort = () => this.#cancel(entry, signal?.reason);
      const onTimeout = () => this.#cancel(entry, timeoutError(request, timeoutMs));
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      const release = () => {
        if (timer !== undefined) clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Entry = { requestId, request, schema, resolve, reject, release };
      signal?.addEventListener('abort', onAbort);
      // Before it is written: a link within one process may answer while it is.
      this.#entries.set(requestId, entry);
      try {
        this.#send({ type: 'control_request', request_id: requestId, request });
      } catch (error) {
        this.#remove(entry);
        reject(error);
      }
    }) as Promise<T>;
  }

  settle(message: WireMessage): Settlement {
    const { response } = message;
    if (!isRecord(response) || typeof response['request_id'] !== 'string') return 'invalid';
    const requestId = response['request_id'];
    const entry = this.#entries.get(requestId);
    if (entry === undefined) return this.#recognise(requestId);
    this.#remove(entry);
    this.#remember(requestId, 'duplicate');
    try {
      entry.resolve(payloadOf(response, entry));
    } catch (error) {
      entry.reject(error);
    }
    return 'settled';
  }

  close(reason: Error): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    for (const entry of this.#entries.values()) {
      this.#remove(entry);
      entry.reject(reason);
    }
  }

  #cancel(entry: Entry, reason: unknown): void {
    this.#remove(entry);
    this.#remember(entry.requestId, 'late');
    try {
      this.#send({ type: 'control_cancel_request', request_id: entry.requestId });
    } catch {
      // The stream has ended, so there is nobody left to tell; the caller learns the reason below.
    }
    entry.reject(reason);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.requestId);
    entry.release();
  }

  #recognise(requestId: string): Settlement {
    const known = this.#remembered.get(requestId);
    if (known === undefined) return this.#ids.issued(requestId) ? 'duplicate' : 'unknown';
    this.#remember(requestId, 'duplicate');
    return known;
  }

  /** Only what `issued` cannot tell is kept. */
  #remember(requestId: string, as: 'late' | 'duplicate'): void {
    this.#remembered.delete(requestId);
    if (as === 'duplicate' && this.#ids.issued(requestId)) return;
    this.#remembered.set(requestId, as);
    if (this.#remembered.size > this.#maxRemembered) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest);
        break;
      }
    }
  }
}

/** The payload of an answer; throws what the request rejects with. Whatever is not a valid success is a failure. */
function payloadOf(response: Readonly<Record<string, unknown>>, { request, requestId, schema }: Entry): unknown {
  const { subtype } = request;
  if (response['subtype'] === 'error') {
    const { error, error_code: code } = response;
    const text = typeof error === 'string' ? error : `${subtype} was refused`;
    throw new ControlError(text, { requestId, subtype, ...(typeof code === 'string' && { code }) });
  }
  if (response['subtype'] !== 'success') {
    const issues = [{ path: ['response', 'subtype'], message: 'neither success nor error' }];
    throw new ProtocolError('invalid-message', `invalid answer to ${subtype}`, { issues });
  }
  const payload = response['response'] ?? {};
  const checked = schema?.safeParse(payload);
  if (checked?.success === false) {
    const issues = checked.error.issues.map(({ path, message }) => ({
      path: ['response', 'response', ...path],
      message,
    }));
    throw new ProtocolError('invalid-message', `invalid answer to ${subtype}`, { issues });
  }
  return payload;
}

function timeoutError({ subtype }: ControlRequest, timeoutMs: number | undefined): TransportError {
  return new TransportError('timeout', `no answer to ${subtype} within ${timeoutMs} ms`);
}
