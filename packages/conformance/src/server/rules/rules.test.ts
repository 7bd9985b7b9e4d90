import { expect, test } from 'vitest';

import type { Exchange, SocketReading, StreamFrame, StreamReading } from '../observed.ts';
import { checkRules, serverRules } from './check-rules.ts';

const UUID = '11111111-2222-4333-8444-555555555555';

function envelope(number: number, members: object = {}) {
  const payload = { type: 'user', uuid: `${UUID}${number}` };
  return {
    event_id: payload.uuid,
    sequence_num: number,
    event_type: 'user',
    source: 'client',
    created_at: '2026-11-20T10:52:26.153Z',
    payload,
    ...members,
  };
}

function frame(event: string | undefined, data: unknown, id?: number, lines = 1): StreamFrame {
  return { event, id: id === undefined ? undefined : String(id), lines: Array.from({ length: lines }, () => ''), data };
}

function stream(frames: readonly StreamFrame[], members: Partial<StreamReading> = {}): StreamReading {
  return {
    kind: 'stream',
    party: 'v',
    session: 'cse_1',
    isWorker: false,
    from: 0,
    latest: 0,
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    hasCarriageReturns: false,
    ...members,
    frames: [...frames],
  };
}

function socket(texts: readonly string[], members: Partial<SocketReading> = {}): SocketReading {
  const frames = texts.map((text) => ({ text, isBinary: false }));
  return {
    kind: 'socket',
    party: 'v',
    session: 'cse_1',
    isWorker: false,
    from: 0,
    isNumbered: false,
    frames,
    ...members,
  };
}

function refusal(members: Partial<Exchange>): Exchange {
  const body = { type: 'error', error: { type: 'invalid_request_error', message: 'no' } };
  const text = JSON.stringify(members.body ?? body);
  return {
    method: 'POST',
    path: '/x',
    token: 'a-secret-token',
    sent: '',
    status: 400,
    headers: {},
    text,
    body,
    ...members,
  };
}

const event = (number: number, members: object = {}) => frame('client_event', envelope(number, members), number);
const greeting = '{"ack":0,"from":1}\n';

test('what a server may do breaks no rule', () => {
  const readings = [
    stream([frame('resume', { verdict: 'ok' }, 0), event(1), event(3), frame('delivery_update', {}), event(4)]),
    stream([frame('resume', { verdict: 'ok' }, 3), event(4)], { from: 3, latest: 3 }),
    socket(['{"type":"assistant"}\n', '{"type":"result"}\n']),
    socket(
      [
        greeting,
        '{"id":3,"source":"worker","data":{"type":"x","event":1}}\n{"ack":2}\n',
        '{"data":{"a":1}}\n',
        '{"end":3}\n',
      ],
      {
        isNumbered: true,
      },
    ),
  ];
  const exchanges = [
    refusal({}),
    refusal({
      status: 409,
      path: '/s/worker',
      headers: { 'x-ccr-conflict-reason': 'epoch_stale' },
      body: { type: 'error', error: { type: 'c', message: 'm', reason: 'epoch_stale' } },
    }),
  ];
  expect(checkRules({ exchanges, readings })).toEqual([]);
});

const broken: Readonly<Record<string, StreamReading | SocketReading | readonly StreamReading[]>> = {
  'content-type': stream([], { headers: { 'content-type': 'text/plain' } }),
  'line-ends': stream([], { hasCarriageReturns: true }),
  'one-data-line': stream([frame('client_event', envelope(1), 1, 2)]),
  'frame-of-events': stream([frame('client_event', envelope(1), 2)]),
  'no-id-of-ephemeral': stream([frame('ephemeral_event', {}, 0)]),
  'other-ids': stream([event(1), frame('delivery_update', {}, 2)]),
  envelope: stream([event(1, { created_at: 'yesterday' })]),
  'id-of-client-events': stream([event(1, { event_id: 'other' })]),
  'gap-with-data': stream([frame('catch_up_truncated', undefined)]),
  'order-of-numbers': stream([event(2), event(1)]),
  'after-the-cursor': stream([event(3)], { from: 3, latest: 3 }),
  'no-own-events': stream([event(1, { source: 'worker' })], { isWorker: true }),
  'no-keep-alive': stream([event(1, { event_type: 'keep_alive', payload: { type: 'keep_alive', uuid: `${UUID}1` } })]),
  'same-event-for-all': [
    stream([event(1)]),
    stream([event(1, { payload: { type: 'user', uuid: `${UUID}1`, more: 1 } })]),
  ],
  'one-number-for-an-id': [stream([event(1)]), stream([event(2, { event_id: `${UUID}1`, source: 'worker' })])],
  'lines-end': socket(['{"type":"assistant"}']),
  'text-frames': socket([], { frames: [{ text: '{}\n', isBinary: true }] }),
  'one-line-in-a-frame': socket(['{"a":1}\n{"b":2}\n']),
  'separators-escaped': socket(['{"a":"\u2028"}\n']),
  'json-lines': socket(['hello\n'], { isWorker: true }),
  'no-answer-to-auth': socket(['{"type":"auth","ok":true}\n']),
  'greeting-first': socket(['{"id":1,"data":{}}\n'], { isNumbered: true }),
  'form-of-messages': socket([greeting, '{"source":"worker","id":1,"data":{}}\n'], { isNumbered: true }),
  'nothing-after-the-end': socket([greeting, '{"end":1}\n', '{"id":2,"data":{}}\n'], { isNumbered: true }),
  'rising-numbers': socket([greeting, '{"id":2,"data":{}}\n', '{"id":2,"data":{}}\n'], { isNumbered: true }),
};

const brokenAnswers: Readonly<Record<string, Exchange>> = {
  'body-of-errors': refusal({ body: { error: 'no' } }),
  'one-line': refusal({ body: { type: 'error', error: { type: 'x', message: 'two\nlines' } } }),
  'no-credential': refusal({ text: '{"message":"a-secret-token"}' }),
  'no-echo': refusal({ sent: '{"content":"a private message"}', text: 'cannot read a private message' }),
  'no-failure': refusal({ status: 500 }),
  'reason-of-conflicts': refusal({ status: 409, path: '/s/worker/heartbeat' }),
};

test.each(Object.entries(broken))('the rule %s finds what breaks it', (name, readings) => {
  const failures = checkRules({ exchanges: [], readings: [readings].flat() });
  expect(failures.map(({ rule }) => rule)).toContain(name);
});

test.each(Object.entries(brokenAnswers))('the rule %s finds an answer that breaks it', (name, exchange) => {
  expect(checkRules({ exchanges: [exchange], readings: [] }).map(({ rule }) => rule)).toContain(name);
});

test('each rule has a test', () => {
  expect(serverRules.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(broken), ...Object.keys(brokenAnswers)].toSorted(),
  );
});
