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

/** What it needs of a session. */
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

/** Makes the pending requests of one agent, none of them open. */
export function createPermissionRequests(options: PermissionRequestsOptions): PermissionRequests {
  const { session } = options;
  const { pending } = session;
  const resolvedTools = new RecentIds(DEFAULT_MAX_RESOLVED_TOOLS);
  const { onControlRequestSent, onControlRequestResolved, onUnexpectedResponse } = options;
  // The questions not yet known to be over: request id to tool_use_id.
  const open = new Map<string, { readonly toolUseID: unknown; readonly sent: boolean }>();
  let handedOn = Promise.resolve();
  let unexpectedOnes = 0;

  function begin(requestId: string, request: ControlRequest): void {
    // A request that was refused waits for nothing.
    const waiting = pending.get(requestId);
    open.set(requestId, { toolUseID: request['tool_use_id'], sent: waiting !== undefined });
    if (waiting !== undefined) callBack(() => onControlRequestSent?.(waiting));
  }

  function resolve(requestId: string): void {
    const question = open.get(requestId);
    if (question === undefined) return;
    open.delete(requestId);
    if (typeof question.toolUseID === 'string') resolvedTools.add(question.toolUseID);
    if (question.sent) callBack(() => onControlRequestResolved?.(requestId));
  }

  /** Also those whose promise has not told yet: an answer and its duplicate may come in one batch. */
  function isDuplicate(response: WireMessage): boolean {
    for (const requestId of open.keys()) if (pending.get(requestId) === undefined) resolve(requestId);
    const toolUseID = member(member(response['response'], 'response'), 'toolUseID');
    return typeof toolUseID === 'string' && resolvedTools.has(toolUseID);
  }

  async function follow<T>(request: ControlRequest, requestOptions: RequestOptions<T>): Promise<T> {
    const { requestId = pending.createId() } = requestOptions;
    if (pending.get(requestId) !== undefined) throw new TypeError(`request id ${requestId} is in use`);
    const answer = session.request(request, { ...requestOptions, requestId });
    begin(requestId, request);
    try {
      return await answer;
    } finally {
      resolve(requestId);
    }
  }

  return {
    createId: () => pending.createId(),
    request<T = unknown>(request: ControlRequest, requestOptions: RequestOptions<T> = {}): Promise<T> {
      if (request.subtype !== 'can_use_tool') return session.request(request, requestOptions);
      const answer = follow(request, requestOptions);
      // As with any request: who does not wait for the answer has not asked to hear why there is none.
      answer.catch(() => {});
      return answer;
    },
    inject(response) {
      const requestId = isRecord(response['response']) ? requestIdOf(response['response']) : undefined;
      if (typeof requestId !== 'string' || pending.get(requestId) === undefined) return false;
      pending.settle(response);
      resolve(requestId);
      try {
        session.outbound.enqueue({ type: 'control_cancel_request', request_id: requestId });
      } catch {
        // The stream has ended: there is no host left that could ask somebody.
      }
      return true;
    },
    unexpected(response) {
      if (isDuplicate(response) || onUnexpectedResponse === undefined) return Promise.resolve();
      // Nobody waits for them, so a peer must not have any number of them kept.
      if (unexpectedOnes >= DEFAULT_MAX_UNEXPECTED_RESPONSES) return Promise.resolve();
      unexpectedOnes++;
      const done = handedOn.then(() => onUnexpectedResponse(response));
      handedOn = done
        .catch(() => {})
        .then(() => {
          unexpectedOnes--;
        });
      return done;
    },
    handedOn: () => handedOn,
  };
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
