import type { ControlRequest, PendingRequests, RequestOptions, SessionWriter } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { callBack, isRecord, type PendingRequest, RecentIds, requestIdOf } from '@proto/core/internal';

/**
 * How many tool calls that were decided are remembered, the oldest forgotten first: 100 000. A second answer for one of them is a
 * duplicate; behind that it is an answer that nobody asked for.
 */
export const DEFAULT_MAX_RESOLVED_TOOLS = 100_000;
/** How many answers that nobody asked for wait to be handed on: 1000. Further ones are dropped. */
export const DEFAULT_MAX_UNEXPECTED_RESPONSES = 1000;

/** The parts of a session that permission requests use. */
export interface PermissionLink extends Pick<SessionWriter, 'request'> {
  readonly pending: Pick<PendingRequests, 'createId' | 'get' | 'settle'>;
  readonly outbound: { enqueue(frame: WireMessage): void };
}

/** What the pending requests of an agent tell, and what they remember. */
export interface PermissionRequestsOptions {
  readonly session: PermissionLink;
  /** A `can_use_tool` request has been queued. */
  readonly onControlRequestSent?: (request: PendingRequest) => void;
  /** A `can_use_tool` request is over, whoever decided it; called before its promise settles. */
  readonly onControlRequestResolved?: (requestId: string) => void;
  /** An answer which nobody asked for and which is no duplicate: one at a time, the next when it is done with the last. */
  readonly onUnexpectedResponse?: (response: WireMessage) => void | Promise<void>;
}

/**
 * The pending requests of an agent, which follows those for a permission: it tells when one begins and ends, takes their answers
 * from elsewhere than the host, and knows a second answer for a tool call.
 */
export interface PermissionRequests extends Pick<PendingRequests, 'request' | 'createId'> {
  /**
   * Settles a pending request with an answer that did not come from the host, and takes the request back there. Without effect,
   * and false, when the answer names none that waits.
   */
  inject(response: WireMessage): boolean;
  /** Takes an answer which nobody waits for: drops it as a duplicate, or hands it on. Fulfils when that is done. */
  unexpected(response: WireMessage): Promise<void>;
  /** Fulfils when all such answers that came so far are done with, whether or not their handler failed. */
  handedOn(): Promise<void>;
}

/** Creates the pending requests of one agent. */
export function createPermissionRequests(options: PermissionRequestsOptions): PermissionRequests {
  return new FollowedRequests(options);
}

class FollowedRequests implements PermissionRequests {
  readonly #options: PermissionRequestsOptions;
  readonly #link: PermissionLink;
  readonly #resolvedTools = new RecentIds(DEFAULT_MAX_RESOLVED_TOOLS);
  /** The questions that are not known to be over, by request id. */
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
    // As with any request: a caller who does not wait for the answer has not asked to hear why there is none.
    answer.catch(() => {});
    return answer;
  }

  inject(response: WireMessage): boolean {
    const { pending, outbound } = this.#link;
    const requestId = isRecord(response['response']) ? requestIdOf(response['response']) : undefined;
    if (typeof requestId !== 'string' || pending.get(requestId) === undefined) return false;
    pending.settle(response);
    this.#resolve(requestId);
    try {
      outbound.enqueue({ type: 'control_cancel_request', request_id: requestId });
    } catch {
      // The stream has ended: there is no host left that could ask somebody.
    }
    return true;
  }

  unexpected(response: WireMessage): Promise<void> {
    const options = this.#options;
    if (this.#isDuplicate(response) || options.onUnexpectedResponse === undefined) return Promise.resolve();
    // Nobody waits for such answers, so a peer must not have any number of them kept.
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
    if (pending.get(requestId) !== undefined) throw new TypeError(`request id ${requestId} is in use`);
    const answer = this.#link.request(request, { ...options, requestId });
    this.#begin(requestId, request);
    try {
      return await answer;
    } finally {
      this.#resolve(requestId);
    }
  }

  #begin(requestId: string, request: ControlRequest): void {
    // A request that was refused waits for nothing.
    const waiting = this.#link.pending.get(requestId);
    this.#open.set(requestId, { toolUseID: request['tool_use_id'], sent: waiting !== undefined });
    if (waiting !== undefined) callBack(() => this.#options.onControlRequestSent?.(waiting));
  }

  #resolve(requestId: string): void {
    const question = this.#open.get(requestId);
    if (question === undefined) return;
    this.#open.delete(requestId);
    if (typeof question.toolUseID === 'string') this.#resolvedTools.add(question.toolUseID);
    if (question.sent) callBack(() => this.#options.onControlRequestResolved?.(requestId));
  }

  /** Also looks at questions whose promise has not settled yet: an answer and its duplicate may come in one batch. */
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
