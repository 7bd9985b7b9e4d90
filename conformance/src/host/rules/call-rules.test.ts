import { expect, test } from 'vitest';

import type { RecordedLine } from '../host-session.ts';
import { wrongCalls } from './call-rules.ts';

type Members = Readonly<Record<string, unknown>>;

const line = (by: 'agent' | 'host', message: Members): RecordedLine => ({ by, at: 0, message });
const asks = line('host', {
  type: 'control_request',
  request_id: 'r1',
  request: { subtype: 'set_model', model: 'model-1' },
});
const succeeds = line('agent', { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } });
const cancels = line('agent', { type: 'control_cancel_request', request_id: 'r1' });
const later = line('agent', { type: 'control_request', request_id: 'a1', request: { subtype: 'can_use_tool' } });
const answers = line('host', { type: 'control_response', response: { subtype: 'success', request_id: 'a1' } });
const end: RecordedLine = { by: 'host', at: 0, event: 'end-of-input' };

const FAILED = { error: 'The session has ended.' };

/** The requirements that a call breaks. By default, it fails for its user. */
function brokenBy(record: readonly RecordedLine[], outcome: Members = FAILED): readonly string[] {
  const call = { id: 'call-1', method: 'set_model', arguments: { model: 'model-1' }, isWithdrawn: false };
  const events = [{ type: 'called', id: 'call-1', ...outcome }];
  return wrongCalls(record, events, [call], true).map(({ spec }) => spec);
}

test('a call may fail at the end of the session, unless the host has certainly read the answer', () => {
  expect(brokenBy([asks, succeeds, end])).toEqual([]);
  expect(brokenBy([asks, succeeds, later, end, answers])).toEqual([]);
  expect(brokenBy([asks, succeeds, later, answers, end])).toEqual(['CTL-6']);
});

test('a cancel from the agent does not end a call of the user', () => {
  expect(brokenBy([asks, cancels, succeeds, later, answers, end])).toEqual(['CTL-27']);
});

test('a call does not return the answer to another request', () => {
  expect(brokenBy([asks, succeeds, end], { value: {} })).toEqual([]);
  expect(brokenBy([asks, succeeds, end], { value: { model: 'model-2' } })).toEqual(['CTL-6']);
});
