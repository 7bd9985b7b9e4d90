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
  /** Whether the host has certainly read the answer before the session ended, because it has answered a later request of the agent. */
  readonly isRead: boolean;
  /** Whether the agent has sent a cancel with the id of the host's request. */
  readonly isNamedInCancel: boolean;
}

const ENDS = ['gone', 'killed', 'end-of-input'];

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
  const isOver = isEnding || record.some((line) => 'event' in line && ENDS.includes(line.event));
  return outcomesOf(record, events, calls).flatMap((outcome) => {
    const problem = problemOf(outcome, isOver && !outcome.isRead);
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
  { call, response, called, isAmongOthers, isNamedInCancel }: CallOutcome,
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
  if (!refused && !failed) return wrongValue(response, called, isAmongOthers);
  if (failed && isNamedInCancel)
    return ['CTL-27', 'The call has failed, although a cancel from the agent does not concern requests of the host.'];
  if (isAmongOthers) return ['CTL-16', 'The call got the outcome of another request.'];
  if (refused) return ['CTL-2', `The agent has refused the request with ${shortJson(response['error'])}.`];
  return [
    response['response'] === undefined ? 'CTL-6' : 'CTL-2',
    'The call has failed, but the agent has answered with a success.',
  ];
}

/** Finds calls that return the model of another answer. A host need not return it. */
function wrongValue(
  response: Members,
  { value }: Members,
  isAmongOthers: boolean,
): readonly [string, string] | undefined {
  const model = isObject(value) ? value['model'] : undefined;
  const payload = response['response'];
  if (model === undefined || model === (isObject(payload) ? payload['model'] : undefined)) return undefined;
  return [
    isAmongOthers ? 'CTL-16' : payload === undefined ? 'CTL-6' : 'CTL-2',
    `The call returned the model ${shortJson(model)}, which is not in the answer to its request.`,
  ];
}

interface Entry {
  readonly id: unknown;
  isAmongOthers: boolean;
  response?: Members;
  isNamedInCancel?: boolean;
  /** The place of the response in the record. */
  place?: number;
}

/** The place of the last request of the agent that the host answers. */
function lastAnswered(record: readonly RecordedLine[]): number {
  const asked = new Map<unknown, number>();
  let last = -1;
  for (const [place, line] of record.entries()) {
    if (!('message' in line)) continue;
    const { type, request_id: id, response } = line.message;
    if (line.by === 'agent' && type === 'control_request') asked.set(id, place);
    if (line.by === 'host' && type === 'control_response' && isObject(response))
      last = Math.max(last, asked.get(response['request_id']) ?? -1);
  }
  return last;
}

function outcomesOf(
  record: readonly RecordedLine[],
  events: readonly unknown[],
  calls: readonly UserCall[],
): readonly CallOutcome[] {
  const requests = new Map<unknown, Entry>();
  const open = new Map<unknown, Entry>();
  const end = record.findIndex((line) => 'event' in line && ENDS.includes(line.event));
  const before = end === -1 ? record : record.slice(0, end);
  for (const [place, line] of record.entries()) {
    if (!('message' in line)) continue;
    const { type, request_id: id, request, response } = line.message;
    if (line.by === 'host' && type === 'control_request' && isObject(request)) {
      const entry: Entry = { id, isAmongOthers: open.size > 0 };
      for (const other of open.values()) other.isAmongOthers = true;
      open.set(id, entry);
      if (request['subtype'] === 'set_model') requests.set(request['model'], entry);
    } else if (line.by === 'host' && type === 'control_cancel_request') open.delete(id);
    else if (line.by === 'agent' && type === 'control_cancel_request')
      Object.assign(open.get(id) ?? {}, { isNamedInCancel: true });
    else if (line.by === 'agent' && type === 'control_response' && isObject(response)) {
      const entry = open.get(response['request_id']);
      if (entry !== undefined) Object.assign(entry, { response, place });
      open.delete(response['request_id']);
    }
  }
  const called = new Map(
    events.flatMap((event) => (isObject(event) && event['type'] === 'called' ? [[event['id'], event]] : [])),
  );
  const models = new Map<unknown, number>();
  for (const {
    method,
    arguments: { model },
  } of calls)
    if (method === 'set_model') models.set(model, (models.get(model) ?? 0) + 1);
  const lastRead = lastAnswered(before);
  return calls.flatMap((call) => {
    const { model } = call.arguments;
    const entry = call.method === 'set_model' ? requests.get(model) : undefined;
    if (entry === undefined || (models.get(model) ?? 0) > 1) return [];
    const { id: requestId, response, isAmongOthers, isNamedInCancel = false, place } = entry;
    const isRead = place !== undefined && lastRead >= place;
    return [{ call, requestId, response, isAmongOthers, isRead, isNamedInCancel, called: called.get(call.id) }];
  });
}
