import type { ControlRequest, PendingRequest, PendingRequests, RequestOptions, SessionWriter } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { callBack, isRecord, RecentIds, requestIdOf } from '@proto/core/internal';

/**
 * How many decided tool calls are remembered: 100 000. The oldest call is dropped first. A second answer for a remembered call is treated as a
 * duplicate. A second answer for a dropped call is treated as an unexpected answer.
 */
export const DEFAULT_MAX_RESOLVED_TOOLS = 100_000;
/** Further answers are dropped. */
const DEFAULT_MAX_UNEXPECTED_RESPONSES = 1000;

export interface PermissionLink extends Pick<SessionWriter, 'request'> {
  readonly pending: Pick<PendingRequests, 'createId' | 'get' | 'settle'>;
  readonly outbound: { enqueue(frame: WireMessage): void };
}

/** Callbacks that report on an agent's permission requests. */
export interface PermissionRequestsOptions {
  readonly session: PermissionLink;
  /** Called when a `can_use_tool` request has been queued. */
  readonly onRequestSent?: (request: PendingRequest) => void;
  /** Called when a `can_use_tool` request has ended for any reason, before its promise settles. */
  readonly onRequestResolved?: (requestId: string) => void;
  /** Called with each unexpected answer that is not a duplicate. The next call waits until the returned promise has settled. */
  readonly onUnexpectedResponse?: (response: WireMessage) => void | Promise<void>;
  /** Called with the type of each answer that is dropped as a duplicate. */
  readonly onMessageType?: (event: { readonly type: string; readonly dropped: 'duplicate' }) => void;
}

/**
 * The pending requests of an agent. For permission requests, callbacks report when a request begins and ends. A permission request may also be
 * answered by a source other than the host, and a second answer for the same tool call is recognized as a duplicate.
 */
export interface PermissionRequests extends Pick<PendingRequests, 'request' | 'createId'> {
  /** Also cancels the request on the host's side. Returns `false` if the answer names no pending request. */
  answer(response: WireMessage): boolean;
  /** Drops a duplicate, and passes any other answer on. Fulfils when the answer has been handled. */
  unexpected(response: WireMessage): Promise<void>;
  /** Fulfils when all unexpected answers so far have been handled, even if a handler failed. */
  handedOn(): Promise<void>;
}

export function createPermissionRequests(options: PermissionRequestsOptions): PermissionRequests {
  return new FollowedRequests(options);
}

class FollowedRequests implements PermissionRequests {
  readonly #options: PermissionRequestsOptions;
  readonly #link: PermissionLink;
  readonly #resolvedTools = new RecentIds(DEFAULT_MAX_RESOLVED_TOOLS);
  readonly #open = new Map<string, { readonly toolUseID: unknown; readonly sent: boolean }>();
  #handedOn = Promise.resolve();
  #unexpectedCount = 0;

  constructor(options: PermissionRequestsOptions) {
    this.#options = options;
    this.#link = options.session;
  }

  createId(): string {
    return this.#link.pending.createId();
  }

  request<T = unknown>(request: ControlRequest, options: RequestOptions<T> = {}): Promise<T> {
    if (request.subtype !== 'can_use_tool') return this.#link.request(request, options);
    const answer = this.#follow(request, options);
    // A caller that ignores the answer must not cause an unhandled rejection, as with any request.
    answer.catch(() => {});
    return answer;
  }

  answer(response: WireMessage): boolean {
    const { pending, outbound } = this.#link;
    const requestId = isRecord(response['response']) ? requestIdOf(response['response']) : undefined;
    if (typeof requestId !== 'string' || pending.get(requestId) === undefined) return false;
    pending.settle(response);
    this.#resolve(requestId);
    try {
      outbound.enqueue({ type: 'control_cancel_request', request_id: requestId });
    } catch {
      // The stream has ended, so the host no longer shows the question.
    }
    return true;
  }

  unexpected(response: WireMessage): Promise<void> {
    const options = this.#options;
    if (this.#isDuplicate(response)) {
      options.onMessageType?.({ type: response.type, dropped: 'duplicate' });
      return Promise.resolve();
    }
    if (options.onUnexpectedResponse === undefined) return Promise.resolve();
    // These answers do not belong to a request, so their number must have a limit.
    if (this.#unexpectedCount >= DEFAULT_MAX_UNEXPECTED_RESPONSES) return Promise.resolve();
    this.#unexpectedCount++;
    const done = this.#handedOn.then(() => options.onUnexpectedResponse?.(response));
    this.#handedOn = done
      .catch(() => {})
      .then(() => {
        this.#unexpectedCount--;
      });
    return done;
  }

  handedOn(): Promise<void> {
    return this.#handedOn;
  }

  async #follow<T>(request: ControlRequest, options: RequestOptions<T>): Promise<T> {
    const { pending } = this.#link;
    const { requestId = pending.createId() } = options;
    if (pending.get(requestId) !== undefined) throw new TypeError(`the request id ${requestId} is already in use`);
    const answer = this.#link.request(request, { ...options, requestId });
    this.#begin(requestId, request);
    try {
      return await answer;
    } finally {
      this.#resolve(requestId);
    }
  }

  #begin(requestId: string, request: ControlRequest): void {
    // A request that was refused at once is not pending.
    const waiting = this.#link.pending.get(requestId);
    this.#open.set(requestId, { toolUseID: request['tool_use_id'], sent: waiting !== undefined });
    if (waiting !== undefined) callBack(() => this.#options.onRequestSent?.(waiting));
  }

  #resolve(requestId: string): void {
    const question = this.#open.get(requestId);
    if (question === undefined) return;
    this.#open.delete(requestId);
    if (typeof question.toolUseID === 'string') this.#resolvedTools.add(question.toolUseID);
    if (question.sent) callBack(() => this.#options.onRequestResolved?.(requestId));
  }

  /** Also checks questions whose promise has not settled yet, because an answer and its duplicate may arrive in one batch. */
  #isDuplicate(response: WireMessage): boolean {
    const { pending } = this.#link;
    for (const requestId of this.#open.keys()) if (pending.get(requestId) === undefined) this.#resolve(requestId);
    const toolUseID = member(member(response['response'], 'response'), 'toolUseID');
    return typeof toolUseID === 'string' && this.#resolvedTools.has(toolUseID);
  }
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
