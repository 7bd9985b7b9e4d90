import { expect, test } from 'vitest';

import type { RecordedLine } from '../host-session.ts';
import { factsOfHost } from './host-facts.ts';

type Members = Readonly<Record<string, unknown>>;

const line = (by: 'agent' | 'host', message: Members): RecordedLine => ({ by, at: 0, message });
const asks = (id: string, subtype = 'can_use_tool') =>
  line('agent', { type: 'control_request', request_id: id, request: { subtype } });
const answers = (id: string, response: Members) =>
  line('host', { type: 'control_response', response: { request_id: id, ...response } });
const prompt = (content: unknown) => line('host', { type: 'user', message: { role: 'user', content } });
const call = (id: string) => ({ id, method: 'set_model', arguments: {}, isWithdrawn: false });
const factsOf = (record: readonly RecordedLine[]) => Object.fromEntries(factsOfHost({ record, events: [], calls: [] }));

test('the answer to each request: its payload in a fixed order, or an error without its text', () => {
  const record = [
    asks('a1'),
    asks('a2', 'hook_callback'),
    asks('a3'),
    answers('a2', { subtype: 'error', error: 'The hook has failed.' }),
    answers('a1', { subtype: 'success', response: { message: 'no', behavior: 'deny' } }),
    answers('a1', { subtype: 'success', response: {} }),
    answers('a4', { subtype: 'success' }),
  ];
  expect(factsOf(record)).toEqual({
    'answer to can_use_tool #a1': '{"behavior":"deny","message":"no"}',
    'answer to hook_callback #a2': 'error',
    'answer to can_use_tool #a3': 'none',
  });
});

test('the prompts in their order, whose text may be a string or a block', () => {
  expect(factsOf([prompt('one'), prompt([{ type: 'text', text: 'two' }])])).toEqual({
    'text of a prompt #1': '"one"',
    'text of a prompt #2': '"two"',
    prompts: '2',
  });
});

test('how each call of the user settled', () => {
  const events = [
    { type: 'called', id: 'call-1', value: {}, error: null },
    { type: 'called', id: 'call-2', error: 'no such model' },
  ];
  const calls = ['call-1', 'call-2', 'call-3'].map(call);
  expect([...factsOfHost({ record: [], events, calls }).values()]).toEqual(['success', 'error', 'none']);
});
