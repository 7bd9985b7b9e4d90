import { isObject } from '@proto/testkit/steps';

import type { RecordedLine } from './host-session.ts';

type Message = Readonly<Record<string, unknown>>;

export interface ServedRequest {
  readonly id: unknown;
  readonly subtype: string;
  readonly request: Message;
  /** The member `response` of the host's answer. */
  answer?: Message;
  isCancelled: boolean;
  /** Whether the agent's input had already ended, so that nobody waits for an answer. */
  readonly isLate: boolean;
}

/** In order. A request that is repeated with the same id while it is open counts once. */
export function servedRequests(record: readonly RecordedLine[]): readonly ServedRequest[] {
  const served: ServedRequest[] = [];
  const open = new Map<unknown, ServedRequest>();
  let isLate = false;
  for (const line of record) {
    if ('event' in line && line.event === 'end-of-input') isLate = true;
    if (!('message' in line)) continue;
    const { type, request_id: id, request, response } = line.message;
    if (line.by === 'agent' && type === 'control_request' && isObject(request) && !open.has(id)) {
      const entry = { id, subtype: String(request['subtype']), request, isCancelled: false, isLate };
      open.set(id, entry);
      served.push(entry);
    }
    if (line.by === 'agent' && type === 'control_cancel_request') {
      const cancelled = open.get(id);
      if (cancelled !== undefined) cancelled.isCancelled = true;
      open.delete(id);
    }
    if (line.by === 'host' && type === 'control_response' && isObject(response)) {
      const answered = open.get(response['request_id']);
      if (answered !== undefined) answered.answer = response;
      open.delete(response['request_id']);
    }
  }
  return served;
}

/** Whether the host has ended the input before the results of all prompts. It can then no longer answer any request. */
export function hasEndedEarly(record: readonly RecordedLine[], prompts: readonly unknown[]): boolean {
  const end = record.findIndex((line) => 'event' in line && line.event === 'end-of-input');
  const isResult = (line: RecordedLine) => line.by === 'agent' && line.message['type'] === 'result';
  return end !== -1 && record.slice(0, end).filter(isResult).length < prompts.length;
}

export interface RegisteredHook {
  readonly event: string;
  readonly matcher: unknown;
}

export function registeredHooks(record: readonly RecordedLine[]): ReadonlyMap<unknown, RegisteredHook> {
  const registered = new Map<unknown, RegisteredHook>();
  for (const line of record) {
    const request = 'message' in line && line.by === 'host' ? line.message['request'] : undefined;
    const hooks = isObject(request) && request['subtype'] === 'initialize' ? request['hooks'] : undefined;
    for (const [event, matchers] of Object.entries(isObject(hooks) ? hooks : {}))
      for (const each of Array.isArray(matchers) ? matchers : [])
        for (const id of isObject(each) && Array.isArray(each['hookCallbackIds']) ? each['hookCallbackIds'] : [])
          registered.set(id, { event, matcher: each['matcher'] });
  }
  return registered;
}
