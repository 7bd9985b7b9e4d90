import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import type { RecordedLine } from '../host-session.ts';

type Members = Readonly<Record<string, unknown>>;

export interface UserCall {
  readonly id: string;
  readonly method: string;
  readonly arguments: Members;
  /** Whether the user has withdrawn the call, so that the call may fail. */
  isWithdrawn: boolean;
}

interface CallOutcome {
  readonly call: UserCall;
  readonly requestId: unknown;
  readonly response: Members | undefined;
  /** `undefined` while the call has not returned. */
  readonly called: Members | undefined;
  /** Whether another request of the host was open together with this request. */
  readonly isAmongOthers: boolean;
}

/**
 * Finds calls whose outcome differs from the answer of the agent. Only calls that can be assigned to one request are checked: calls of `set_model`
 * with a model that no other call has. `isEnding` means that the process of the agent has ended, or was ordered to end.
 */
export function wrongCalls(
  record: readonly RecordedLine[],
  events: readonly unknown[],
  calls: readonly UserCall[],
  isEnding: boolean,
): BrokenRule[] {
  // The session ends for its user when the agent ends, so a call may then fail.
  const isOver =
    isEnding || record.some((line) => 'event' in line && ['gone', 'killed', 'end-of-input'].includes(line.event));
  return outcomesOf(record, events, calls).flatMap((outcome) => {
    const problem = problemOf(outcome, isOver);
    if (problem === undefined) return [];
    const [spec, text] = problem;
    const message = `${text} The call was ${shortJson({ [outcome.call.method]: outcome.call.arguments })}.`;
    return [{ rule: 'answer-to-the-call', spec, message, got: outcome.called }];
  });
}

/** The calls that the agent has answered, but that have not returned. */
export function openCalls(
  record: readonly RecordedLine[],
  events: readonly unknown[],
  calls: readonly UserCall[],
): readonly CallOutcome[] {
  return outcomesOf(record, events, calls).filter(
    ({ response, called }) => response !== undefined && called === undefined,
  );
}

function problemOf(
  { call, response, called, isAmongOthers }: CallOutcome,
  isOver: boolean,
): readonly [string, string] | undefined {
  if (called === undefined || call.isWithdrawn) return undefined;
  const { error } = called;
  const failed = error !== undefined && error !== null;
  if (response === undefined)
    return failed && isOver
      ? undefined
      : ['CTL-9', 'The call has returned, but the agent has not answered its request.'];
  const text = String(error);
  const refused = response['subtype'] === 'error';
  if (failed && !refused && isOver) return undefined;
  if (refused && failed && (text.includes(String(response['error'])) || isOver)) return undefined;
  if (refused === failed && !refused) return undefined;
  if (isAmongOthers) return ['CTL-16', 'The call got the outcome of another request.'];
  if (refused) return ['CTL-2', `The agent has refused the request with ${shortJson(response['error'])}.`];
  return [
    response['response'] === undefined ? 'CTL-6' : 'CTL-2',
    'The call has failed, but the agent has answered with a success.',
  ];
}

function outcomesOf(
  record: readonly RecordedLine[],
  events: readonly unknown[],
  calls: readonly UserCall[],
): readonly CallOutcome[] {
  const requests = new Map<unknown, { readonly id: unknown; isAmongOthers: boolean; response?: Members }>();
  const open = new Map<unknown, { isAmongOthers: boolean; response?: Members }>();
  for (const line of record) {
    if (!('message' in line)) continue;
    const { type, request_id: id, request, response } = line.message;
    if (line.by === 'host' && type === 'control_request' && isObject(request)) {
      const entry = { id, isAmongOthers: open.size > 0 };
      for (const other of open.values()) other.isAmongOthers = true;
      open.set(id, entry);
      if (request['subtype'] === 'set_model') requests.set(request['model'], entry);
    } else if (line.by === 'host' && type === 'control_cancel_request') open.delete(id);
    else if (line.by === 'agent' && type === 'control_response' && isObject(response)) {
      const entry = open.get(response['request_id']);
      if (entry !== undefined) entry.response = response;
      open.delete(response['request_id']);
    }
  }
  const called = new Map(
    events.flatMap((event) => (isObject(event) && event['type'] === 'called' ? [[event['id'], event]] : [])),
  );
  const models = calls.flatMap(({ method, arguments: { model } }) => (method === 'set_model' ? [model] : []));
  return calls.flatMap((call) => {
    const { model } = call.arguments;
    const entry = call.method === 'set_model' ? requests.get(model) : undefined;
    if (entry === undefined || models.filter((each) => each === model).length > 1) return [];
    const { id: requestId, response, isAmongOthers } = entry;
    return [{ call, requestId, response, isAmongOthers, called: called.get(call.id) }];
  });
}
