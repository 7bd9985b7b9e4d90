import { expect, test } from 'vitest';

import type { Exchange, Observed, SocketReading, StreamReading } from '../observed.ts';
import {
  answerTo,
  brokenInTime,
  HEARTBEAT,
  leases,
  prompt,
  sentAsEphemeral,
  shown,
  STATE,
  state,
} from './broken-in-time.test-support.ts';
import { checkRules, serverRules } from './check-rules.ts';
import {
  envelope,
  event,
  frame,
  greeting,
  observe,
  refusal,
  socket,
  stream,
  taken,
  UUID,
} from './observations.test-support.ts';

test('what a server may do breaks no rule', () => {
  const readings = [
    stream([
      frame('resume', { verdict: 'ok' }, 0),
      event(1),
      event(3),
      frame('delivery_update', { event_id: UUID, status: 'DELIVERY_STATUS_RECEIVED' }),
      event(4),
    ]),
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
    // Event 2 is a request from the worker that is already settled.
    taken({ type: 'control_request' }, { path: '/s/cse_1/worker/events' }),
    refusal({}),
    refusal({
      status: 409,
      path: '/s/worker',
      headers: { 'content-type': 'application/json', 'x-ccr-conflict-reason': 'epoch_stale' },
      body: { type: 'error', error: { type: 'c', message: 'm', reason: 'epoch_stale' } },
    }),
  ];
  expect(checkRules(observe({ exchanges, readings }))).toEqual([]);
});

const broken: Readonly<Record<string, StreamReading | SocketReading | readonly (StreamReading | SocketReading)[]>> = {
  'content-type': stream([], { headers: { 'content-type': 'text/plain' } }),
  'line-ends': stream([], { hasCarriageReturns: true }),
  'one-data-line': stream([frame('client_event', envelope(1), 1, 2)]),
  'frame-of-events': stream([frame('client_event', envelope(1), 2)]),
  'no-id-of-ephemeral': stream([frame('ephemeral_event', {}, 0)]),
  'other-ids': stream([event(1), frame('delivery_update', {}, 2)]),
  envelope: stream([event(1, { created_at: 'yesterday' })]),
  'id-of-client-events': stream([event(1, { event_id: 'other' })]),
  'resume-first': [stream([frame('resume', { verdict: 'ok' }, 0)]), stream([event(1)])],
  'end-is-last': stream([frame('session_archived', {}), event(1)]),
  'gap-with-data': stream([frame('catch_up_truncated', undefined)]),
  'order-of-numbers': stream([event(2), event(1)]),
  'after-the-cursor': stream([event(3)], { from: 3, latest: 3 }),
  'no-own-events': stream([event(1, { source: 'worker' })], { isWorker: true }),
  'no-keep-alive': stream([event(1, { event_type: 'keep_alive', payload: { type: 'keep_alive', uuid: `${UUID}1` } })]),
  'no-credentials-of-lines': stream([event(1, { event_type: 'auth', payload: { type: 'auth', uuid: `${UUID}1` } })]),
  'form-of-marks': stream([frame('delivery_update', { event_id: UUID, status: 'received' })]),
  'marks-go-forward': stream([
    frame('delivery_update', { event_id: UUID, status: 'DELIVERY_STATUS_PROCESSED' }),
    frame('delivery_update', { event_id: UUID, status: 'DELIVERY_STATUS_RECEIVED' }),
  ]),
  'form-of-resolved': stream([frame('control_resolved', { request_id: 'q1', outcome: 'gone' })]),
  'form-of-ephemeral': stream([
    frame('ephemeral_event', { event_type: 'user', source: 'worker', payload: { type: 'stream_event' } }),
  ]),
  'no-holes': stream([event(1), event(3)]),
  'one-answer': stream(
    [1, 2].map((number) => {
      const payload = { type: 'control_response', uuid: `${UUID}${number}`, response: { request_id: 'q1' } };
      return event(number, { event_type: 'control_response', payload });
    }),
    { isWorker: true },
  ),
  'same-envelope-for-all': [stream([event(1)]), stream([event(1, { created_at: '2026-11-20T10:52:27.000Z' })])],
  'same-event-for-all': [
    stream([event(1)]),
    stream([event(1, { payload: { type: 'user', uuid: `${UUID}1`, more: 1 } })]),
  ],
  'lines-as-events': [stream([event(1)]), socket([`${JSON.stringify({ type: 'user', uuid: `${UUID}1`, more: 1 })}\n`])],
  'one-number-for-an-id': [stream([event(1)]), stream([event(2, { event_id: `${UUID}1`, source: 'worker' })])],
  'one-event-for-a-uuid': stream([event(1), event(2, { payload: { type: 'user', uuid: `${UUID}1` } })]),
  'lines-end': socket(['{"type":"assistant"}']),
  'messages-on-plain-lines': socket(['{"event_type":"assistant"}\n']),
  'text-frames': socket([], { frames: [{ text: '{}\n', isBinary: true, at: 0 }] }),
  'readable-frames': socket([], { unreadable: 'Invalid WebSocket frame: invalid UTF-8 sequence' }),
  'one-line-in-a-frame': socket(['{"a":1}\n{"b":2}\n']),
  'separators-escaped': socket(['{"a":"\u2028"}\n']),
  'json-lines': socket(['hello\n'], { isWorker: true }),
  'nothing-before-the-credential': socket(['{"type":"assistant"}\n'], {
    isAnonymous: true,
    sent: ['{"type":"auth"}\n'],
    receivedBefore: [1],
  }),
  'no-answer-to-auth': socket(['{"type":"auth","ok":true}\n']),
  'greeting-first': socket(['{"id":1,"data":{}}\n'], { isNumbered: true }),
  'form-of-messages': socket([greeting, '{"source":"worker","id":1,"data":{}}\n'], { isNumbered: true }),
  'nothing-after-the-end': socket([greeting, '{"end":1}\n', '{"id":2,"data":{}}\n'], { isNumbered: true }),
  'rising-numbers': socket([greeting, '{"id":2,"data":{}}\n', '{"id":2,"data":{}}\n'], { isNumbered: true }),
};

test('the ends of requests are those of the worker, also where both sides have used one id, and where the worker has used it twice', () => {
  const problems = (asked: Exchange[], ...news: readonly object[]) => {
    const frames = news.map((data) => frame('control_resolved', data));
    return checkRules(observe({ exchanges: asked, readings: [stream(frames)] })).map(({ spec }) => spec);
  };
  const byWorker = { path: '/s/cse_1/worker/events' };
  const request = (sender?: object) => taken({ type: 'control_request', request_id: 'q1', request: {} }, sender);
  const answer = (sender?: object) => taken({ type: 'control_response', response: { request_id: 'q1' } }, sender);
  const resolved = (by: string) => ({ request_id: 'q1', by, outcome: 'answered' });
  const both = [request(byWorker), request(), answer(byWorker), answer()];
  expect(problems(both, resolved('a'))).toEqual([]);
  expect(problems(both, resolved('worker'))).toEqual(['REM-57']);
  expect(problems([request(), answer(byWorker)], resolved('worker'))).toEqual(['REM-57']);
  expect(problems([...both, request(byWorker), answer()], resolved('a'), resolved('a'))).toEqual([]);
  expect(problems(both, resolved('a'), resolved('a'))).toEqual(['REM-38']);
});

test('a request of the worker is due for viewers although a request of a viewer with the same id was answered', () => {
  const [asked, own] = [1, 2].map((n) => ({ type: 'control_request', uuid: `${UUID}${n}`, request_id: 'q1' }));
  const answered = { type: 'control_response', uuid: `${UUID}3`, response: { request_id: 'q1' } };
  const byWorker = { path: '/s/cse_1/worker/events' };
  const exchanges = [taken(asked as object, byWorker), taken(own as object), taken(answered, byWorker), prompt(4)];
  const before = event(1, { event_type: 'control_request', source: 'worker', payload: asked });
  const found = checkRules(observe({ exchanges, readings: [stream([before, event(4)]), stream([event(4)])] }));
  expect(found.map(({ spec }) => spec)).toContain('REM-29');
});

/** An answer with a body of JSON. */
function answer(request: string, body: object, status = 200): Exchange {
  const [method = '', path = ''] = request.split(' ');
  return refusal({ method, path, status, body });
}

const brokenAnswers: Readonly<Record<string, Exchange>> = {
  'body-of-errors': refusal({ body: { error: 'no' } }),
  'one-line': refusal({ body: { type: 'error', error: { type: 'x', message: 'two\nlines' } } }),
  'no-credential': refusal({ text: '{"message":"a-secret-token"}' }),
  'no-echo': refusal({ sent: '{"content":"a private message"}', text: 'cannot read a private message' }),
  'no-failure': refusal({ status: 500 }),
  'form-of-credentials': answer('POST /s/cse_1/bridge', { worker_jwt: 't', api_base_url: 'http://a', worker_epoch: 1 }),
  'status-of-credentials': answer('POST /s/cse_1/bridge', {}, 201),
  'form-of-registrations': answer('POST /s/cse_1/worker/register', { worker_epoch: 'first' }),
  'form-of-states': answer('GET /s/cse_1/worker', { worker: { external_metadata: {} } }),
  'form-of-rows': answer('GET /s/cse_1/worker/internal-events?limit=1', { data: [{ event_id: UUID }] }),
  'rows-of-a-page': answer('GET /s/cse_1/worker/internal-events?limit=2', { data: [], next_cursor: 'c1' }),
  'form-of-sessions': answer('POST /v1/code/sessions', { session: { id: 'cse_1' } }, 202),
  'ids-of-sessions': answer('POST /v1/code/sessions', { session: { id: 'cse 1' } }),
  'form-of-subscribers': answer('POST /s/cse_1/worker/events', { has_subscribers: 1 }),
  'when-to-come-back': refusal({ status: 429, headers: { 'retry-after': 'soon' } }),
  'reason-of-conflicts': refusal({ status: 409, path: '/s/worker/heartbeat' }),
};

const payload = { type: 'user', uuid: `${UUID}1` };
const increment = { type: 'stream_event', uuid: UUID };
const ephemeral = frame('ephemeral_event', { event_type: 'stream_event', source: 'worker', payload: increment });

const line = (number: number) => `{"type":"user","uuid":"${UUID}${number}"}\n`;
const control = event(2, {
  event_type: 'control_response',
  payload: { type: 'control_response', uuid: `${UUID}2`, response: { request_id: 'q1' } },
});

/** What breaks a rule that compares what was sent with what was received. */
const brokenTogether: Readonly<Record<string, Partial<Observed>>> = {
  'payload-as-sent': { exchanges: [taken({ ...payload, more: 1 })], readings: [stream([event(1)])] },
  'source-of-sender': {
    exchanges: [taken(payload, { path: '/s/cse_1/worker/events' })],
    readings: [stream([event(1)])],
  },
  'lines-in-order-of-the-log': {
    readings: [stream([event(1), event(2)]), socket([line(2), line(1)], { isWorker: true })],
  },
  'first-messages-on-plain-lines': {
    readings: [stream([1, 2].map((number) => event(number, { source: 'worker' }))), socket([line(2)])],
  },
  'lines-in-order': { readings: [stream([event(1), event(2)]), socket([line(2), line(1)])] },
  'no-own-lines': {
    exchanges: [taken(payload, { path: '/s/cse_1/worker/events' })],
    readings: [socket([`${JSON.stringify(payload)}\n`], { isWorker: true })],
  },
  'results-of-entries': { exchanges: [taken(payload, { events: [] })] },
  'ephemeral-once': {
    exchanges: [taken(increment, { path: '/s/cse_1/worker/events' })],
    readings: [stream([ephemeral, ephemeral])],
  },
  'every-event-for-viewers': {
    exchanges: [taken({ type: 'control_request' }, { path: '/s/cse_1/worker/events' })],
    readings: [stream([event(1), event(2), event(3)]), stream([event(1), event(3)])],
  },
  'every-prompt-for-workers': {
    readings: [stream([event(1), event(2), event(3)]), stream([event(1), event(3)], { isWorker: true })],
  },
  'every-control-message-for-workers': {
    readings: [stream([event(1), control, event(3)]), stream([event(1), event(3)], { isWorker: true })],
  },
  'every-message-on-plain-lines': {
    readings: [stream([1, 2, 3].map((number) => event(number, { source: 'worker' }))), socket([line(1), line(3)])],
  },
  'nothing-of-a-refused-body': {
    exchanges: [{ ...taken(payload), status: 403 }],
    readings: [stream([event(1)])],
  },
  'nothing-of-a-conflict': {
    exchanges: [{ ...taken(payload, { path: '/s/cse_1/worker/events' }), status: 409 }],
    readings: [stream([event(1)])],
  },
  'no-refused-entry': {
    exchanges: [taken(payload, { events: [{ event_id: payload.uuid, error: { type: 'already_resolved' } }] })],
    readings: [stream([event(1)])],
  },
  'no-ephemeral-event': {
    exchanges: [
      {
        ...taken(payload, { path: '/s/cse_1/worker/events' }),
        sent: JSON.stringify({ events: [{ payload, ephemeral: true }] }),
      },
    ],
    readings: [stream([event(1)])],
  },
  'no-answer-to-nothing': { readings: [stream([control])] },
  'rising-epochs': {
    exchanges: [3, 2].map((worker_epoch) => refusal({ status: 200, path: '/s/cse_1/bridge', body: { worker_epoch } })),
  },
};

test('a message that was repeated with another outcome may be in the log', () => {
  const refused = { ...taken(payload, { path: '/s/cse_1/worker/events' }), status: 409 };
  const broken = (seen: Partial<Observed>) =>
    checkRules(observe({ readings: [stream([event(1)])], ...seen })).map(({ rule }) => rule);
  expect(broken({ exchanges: [refused] })).toContain('nothing-of-a-conflict');
  expect(broken({ exchanges: [refused], lost: [refused] })).not.toContain('nothing-of-a-conflict');
  expect(broken({ exchanges: [refused, { ...refused, status: 200 }] })).not.toContain('nothing-of-a-conflict');
});

test('a reader may lack events before its cursor, after its last event, and in a gap that was reported', () => {
  const resumed = frame('resume', { verdict: 'ok' }, 0);
  const whole = stream([resumed, event(1), event(2), event(3)]);
  const parts = [
    stream([resumed, event(3)], { isWorker: true, from: 2, latest: 2 }),
    stream([resumed, event(1)], { isWorker: true }),
    stream([frame('resume', { verdict: 'gap', reason: 'evicted', from: 1, to: 2 }, 0), event(3)], { isWorker: true }),
  ];
  expect(checkRules(observe({ readings: [whole, ...parts] }))).toEqual([]);
});

test('the rules compare only what was taken, in the same session', () => {
  const readings = [stream([event(1)]), stream([event(2)], { from: 1, latest: 1 })];
  const other = { ...payload, more: 1 };
  const exchanges = [
    taken(payload, { events: [{ event_id: `${UUID}1`, sequence_num: 1 }] }),
    taken(other, { path: '/s/cse_2/events' }),
    { ...taken(other), status: 403, body: { type: 'error', error: { type: 'x', message: 'y' } } },
  ].map((exchange) => ({ ...exchange, headers: { 'content-type': 'application/json' } }));
  expect(checkRules(observe({ exchanges, readings }))).toEqual([]);
});

test.each(Object.entries(brokenTogether))('the rule %s finds what breaks it', (name, observed) => {
  expect(checkRules(observe(observed)).map(({ rule }) => rule)).toContain(name);
});

test.each(Object.entries(broken))('the rule %s finds what breaks it', (name, readings) => {
  const failures = checkRules(observe({ readings: [readings].flat() }));
  expect(failures.map(({ rule }) => rule)).toContain(name);
});

test.each(Object.entries(brokenAnswers))('the rule %s finds an answer that breaks it', (name, exchange) => {
  expect(checkRules(observe({ exchanges: [exchange] })).map(({ rule }) => rule)).toContain(name);
});

test.each(Object.entries(brokenInTime))('the rule %s finds what breaks it', (name, seen) => {
  expect(checkRules(observe(seen())).map(({ rule }) => rule)).toContain(name);
});

test('of a socket whose lines became no events, no rule says that one is missing', () => {
  const sent = [1, 2].map((number) => `{"type":"user","uuid":"${UUID}${number}"}\n`);
  expect(checkRules(observe({ readings: [stream([event(3)], { from: 2, latest: 2 }), socket([], { sent })] }))).toEqual(
    [],
  );
});

test('a prompt of a sender who may only answer requests does not have to become an event (WSK-2)', () => {
  const prompt = (number: number) => `{"type":"user","uuid":"${UUID}${number}"}\n`;
  const answer = `{"type":"control_response","uuid":"${UUID}2","response":{"request_id":"q1"}}\n`;
  const broken = (number: number, ...sent: string[]) =>
    checkRules(observe({ readings: [stream([event(number)]), socket([], { sent })] })).map(({ spec }) => spec);
  expect(broken(2, prompt(1), answer)).not.toContain('WSK-2');
  expect(broken(3, prompt(1), answer, prompt(3))).toContain('WSK-2');
});

test('a session in which everything is as it was sent breaks no rule', () => {
  const [first, before, sent, between] = [prompt(1), event(1), sentAsEphemeral(), shown()];
  const [second, after] = [prompt(2), event(2)];
  const readings = [stream([frame('resume', { verdict: 'ok' }, 0), before, between, after])];
  const body = { worker_epoch: 2, external_metadata: { a: 1 } };
  const reported = answerTo(`PUT ${STATE}`, body, { token: 'token-2' });
  const beat = answerTo(HEARTBEAT, { worker_epoch: 2 }, { token: 'token-2' });
  const exchanges = [...leases(), first, sent, second, reported, state({ a: 1 }, 'token-2'), beat];
  expect(checkRules(observe({ exchanges, readings }))).toEqual([]);
});

test('each rule has a test', () => {
  expect(serverRules.map(({ name }) => name).toSorted()).toEqual(
    [broken, brokenAnswers, brokenInTime, brokenTogether].flatMap((each) => Object.keys(each)).toSorted(),
  );
});
