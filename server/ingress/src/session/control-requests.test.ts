import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { ControlRequests } from './control-requests.ts';
import type { SessionEvent } from './session-event.ts';

verifies('CTL-23', 'camel case ids open, answer and cancel a request like snake case ids', () => {
  const decision = { behavior: 'deny', message: 'no' };
  for (const [name, other] of [
    ['requestId', 'request_id'],
    ['request_id', 'requestId'],
  ] as const) {
    const requests = new ControlRequests();
    const say = (source: 'worker' | 'client', type: string, payload: object) =>
      requests.apply(
        { id: 'e', source, type, payload: { type, ...payload }, sequence: 1, isKept: true } as unknown as SessionEvent,
        JSON.stringify(payload),
      );
    say('worker', 'control_request', { [name]: 'r1', request: { subtype: 'can_use_tool' } });
    const answer = { type: 'control_response', response: { subtype: 'success', [other]: 'r1', response: decision } };
    expect(requests.check('client')({ id: 'a', type: answer.type, payload: answer })).toBeUndefined();
    expect(say('client', answer.type, answer)).toMatchObject({ requestId: 'r1', outcome: 'answered' });
    expect(requests.check('client')({ id: 'b', type: answer.type, payload: answer })).toBe('already_resolved');
    say('worker', 'control_request', { [name]: 'r2', request: { subtype: 'can_use_tool' } });
    expect(say('worker', 'control_cancel_request', { [other]: 'r2' })).toMatchObject({ outcome: 'cancelled' });
  }
});
