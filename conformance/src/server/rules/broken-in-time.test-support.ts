import type { Exchange, Observed } from '../observed.ts';
import { event, frame, refusal, socket, stream, taken, UUID } from './observations.test-support.ts';

const OF_WORKER = { path: '/s/cse_1/worker/events' };
export const prompt = (number: number) => taken({ type: 'user', uuid: `${UUID}${number}` });

const numbered = (number: number, members: object = {}) =>
  taken(
    { type: 'user', uuid: `${UUID}${number}` },
    { events: [{ event_id: `${UUID}${number}`, sequence_num: number, ...members }] },
  );
const ofWorker = (payload: object) => taken(payload, OF_WORKER);
const increment = { type: 'stream_event', uuid: `${UUID}9` };

const ask = { type: 'control_request', uuid: `${UUID}2`, request_id: 'q1', request: { subtype: 'can_use_tool' } };
const asked = event(2, { event_type: 'control_request', source: 'worker', payload: ask });
const answered = () =>
  taken({
    type: 'control_response',
    uuid: `${UUID}3`,
    response: { request_id: 'q1', subtype: 'success', response: { behavior: 'deny' } },
  });

export function shown() {
  return frame('ephemeral_event', { event_type: 'stream_event', source: 'worker', payload: increment });
}

export function sentAsEphemeral(): Exchange {
  return { ...ofWorker(increment), sent: JSON.stringify({ events: [{ payload: increment, ephemeral: true }] }) };
}

/** An answer to a request with the token of the first lease, unless the test specifies a different token. */
export function answerTo(request: string, sent: object | undefined, members: Partial<Exchange> = {}): Exchange {
  const [method = '', path = ''] = request.split(' ');
  const text = sent === undefined ? '' : JSON.stringify(sent);
  return refusal({ method, path, sent: text, status: 200, token: 'token-1', body: {}, ...members });
}

export function leases(): readonly Exchange[] {
  return [1, 2].map((worker_epoch) => {
    const body = { worker_jwt: `token-${worker_epoch}`, worker_epoch, api_base_url: 'http://a', expires_in: 1 };
    return answerTo('POST /s/cse_1/bridge', {}, { body });
  });
}

/** A request of the worker that has the lease, with the epoch 2. */
function ofPresent(request: string, sent: object | undefined, members: Partial<Exchange> = {}): Partial<Observed> {
  return { exchanges: [...leases(), answerTo(request, sent, { token: 'token-2', ...members })] };
}

const conflict = { status: 409, headers: { 'x-ccr-conflict-reason': 'epoch_stale' } };
export const HEARTBEAT = 'POST /s/cse_1/worker/heartbeat';
const POST_OF_VIEWERS = 'POST /v1/code/sessions/cse_1/events';
export const STATE = '/v1/code/sessions/cse_1/worker';
const report = (external_metadata: object) => answerTo(`PUT ${STATE}`, { worker_epoch: 1, external_metadata });

export function state(external_metadata: object, token = 'token-1'): Exchange {
  const body = { worker: { external_metadata, internal_metadata: {} } };
  return answerTo(`GET ${STATE}`, undefined, { token, body });
}

const TRANSCRIPT = '/v1/code/sessions/cse_1/worker/internal-events';
const rowOf = (number: number) => ({ payload: { type: 'user', uuid: `${UUID}${number}` } });
const rows = (...numbers: readonly number[]) =>
  answerTo(`POST ${TRANSCRIPT}`, { worker_epoch: 1, events: numbers.map(rowOf) });
const readRows = (...numbers: readonly number[]) =>
  answerTo(`GET ${TRANSCRIPT}`, undefined, { body: { data: numbers.map(rowOf) } });

function rowOfASubagent(): Exchange {
  return answerTo(`POST ${TRANSCRIPT}`, { worker_epoch: 1, events: [{ ...rowOf(1), session_agent_id: 'agent-1' }] });
}

/**
 * For each rule that depends on earlier messages or earlier rights, an observation that breaks the rule. The observation is created when its test begins,
 * because the order of creation is the order of time.
 */
export const brokenInTime: Readonly<Record<string, () => Partial<Observed>>> = {
  'no-missing-number': () => ({ exchanges: [numbered(1), numbered(3)] }),
  'new-message-is-stored': () => ({ exchanges: [numbered(1, { duplicate: true })] }),
  'echo-is-a-repetition': () => {
    const said = { type: 'user', uuid: `${UUID}1` };
    const readings = [stream([event(1), event(2, { source: 'worker', event_id: 'other', payload: said })])];
    return { exchanges: [taken(said), ofWorker({ ...said, isReplay: true })], readings };
  },
  'message-of-a-conflict-is-new': () => {
    const again = numbered(1, { duplicate: true });
    return { exchanges: [{ ...again, status: 409 }, again] };
  },
  'taken-is-in-the-log': () => ({ exchanges: [prompt(1), prompt(2)], readings: [stream([event(2)])] }),
  'text-as-sent': () => ({
    exchanges: [taken({ type: 'user', uuid: `${UUID}1`, text: 'ä' })],
    readings: [stream([event(1, { payload: { type: 'user', uuid: `${UUID}1`, text: '\uFFFD\uFFFD' } })])],
  }),
  'lines-become-events': () => {
    const sent = [1, 2].map((number) => `{"type":"user","uuid":"${UUID}${number}"}\n`);
    return { readings: [stream([event(2)]), socket([], { sent })] };
  },
  'one-added-uuid': () => {
    const message = { type: 'user', message: { role: 'user', content: 'hi' } };
    const lines = [3, 4].map((number) => socket([`${JSON.stringify({ ...message, uuid: `${UUID}${number}` })}\n`]));
    return { exchanges: [taken(message)], readings: lines };
  },
  'nothing-before-auth': () => {
    const early = `{"type":"user","uuid":"${UUID}1"}\n`;
    const auth = '{"type":"auth","credential":{"type":"oauth","token":"t"}}\n';
    return { readings: [stream([event(1)]), socket([], { sent: [early, auth] })] };
  },
  'times-of-storing': () => ({
    exchanges: [prompt(1), { ...prompt(2), began: 9000, ended: 9001 }],
    readings: [stream([event(1), event(2)])],
  }),
  'order-of-a-sender': () => ({ exchanges: [prompt(2), prompt(1)], readings: [stream([event(1), event(2)])] }),
  'stored-before-the-answer': () => ({
    exchanges: [prompt(2), ofWorker({ type: 'user', uuid: `${UUID}1` })],
    readings: [stream([event(1), event(2)])],
  }),
  'increments-for-each-viewer': () => {
    const [first, before, sent, second, after] = [prompt(1), event(1), sentAsEphemeral(), prompt(2), event(2)];
    return { exchanges: [first, sent, second], readings: [stream([before, after])] };
  },
  'no-ephemeral-event-of-before': () => ({
    exchanges: [sentAsEphemeral()],
    readings: [stream([shown()], { opened: 9000 })],
  }),
  'increments-in-their-place': () => ({
    exchanges: [sentAsEphemeral(), ofWorker({ type: 'user', uuid: `${UUID}1` })],
    readings: [stream([event(1), shown()])],
  }),
  'marks-for-each-viewer': () => {
    const [first, before] = [prompt(1), event(1)];
    const updates = [{ event_id: `${UUID}1`, status: 'received' }];
    const marked = answerTo('POST /s/cse_1/worker/events/delivery', { updates });
    const [second, after] = [prompt(2), event(2)];
    return { exchanges: [first, marked, second], readings: [stream([before, after])] };
  },
  'resolved-as-it-was': () => ({
    exchanges: [ofWorker(ask), answered()],
    readings: [stream([asked, frame('control_resolved', { request_id: 'q1', outcome: 'cancelled', by: 'a' })])],
  }),
  'resolved-of-the-worker': () => ({
    exchanges: [taken(ask)],
    readings: [stream([frame('control_resolved', { request_id: 'q1', outcome: 'answered', by: 'worker' })])],
  }),
  subscribers: () => {
    const readings = [stream([event(1)])];
    return { exchanges: [{ ...ofWorker({}), body: { has_subscribers: false } }], readings };
  },
  'open-requests-for-viewers': () => ({
    exchanges: [ofWorker(ask), prompt(3)],
    readings: [stream([asked, event(3)]), stream([event(3)])],
  }),
  'no-settled-requests': () => {
    const exchanges = [ofWorker(ask), answered()];
    return { exchanges, readings: [stream([asked], { opened: prompt(4).began })] };
  },
  'no-requests-of-viewers-on-lines': () => ({
    exchanges: [taken(ask)],
    readings: [socket([`${JSON.stringify(ask)}\n`])],
  }),
  'superseded-tokens-refused': () => ofPresent(HEARTBEAT, { worker_epoch: 2 }, { token: 'token-1' }),
  'order-of-rows': () => ({ exchanges: [rows(1, 2), readRows(2, 1)] }),
  'rows-of-subagents': () => ({ exchanges: [rowOfASubagent(), readRows(1)] }),
  'pages-continue': () => {
    const [all, one, again] = [rows(1, 2, 3), readRows(1, 2), readRows(2, 3)];
    const body = { ...Object(one.body), next_cursor: 'c' };
    return { exchanges: [all, { ...one, body }, { ...again, path: `${again.path}?cursor=c` }] };
  },
  'one-row-for-a-uuid': () => ({ exchanges: [rows(1, 2), readRows(1)] }),
  'every-message-without-a-uuid': () => {
    const sent = [1, 2].map(() => taken({ type: 'user', text: 'hi' }));
    const reading = stream([event(1, { payload: { type: 'user', uuid: `${UUID}1`, text: 'hi' } }), event(2)], {
      opened: prompt(4).began,
    });
    return { exchanges: [...sent, prompt(2)], readings: [reading] };
  },
  'increments-for-each-viewer-on-lines': () => {
    const line = (number: number) => socket([`{"type":"user","uuid":"${UUID}${number}"}\n`]).frames;
    const exchanges = [prompt(1)];
    const frames = line(1);
    exchanges.push(sentAsEphemeral(), prompt(2));
    return { exchanges, readings: [stream([event(1), event(2)]), socket([], { frames: [...frames, ...line(2)] })] };
  },
  'no-increment-from-lines': () => ({
    readings: [
      stream([event(9, { event_type: 'stream_event', payload: increment })]),
      socket([], { isWorker: true, sent: [`${JSON.stringify(increment)}\n`] }),
    ],
  }),
  'increments-in-their-place-on-lines': () => ({
    exchanges: [sentAsEphemeral(), ofWorker({ type: 'user', uuid: `${UUID}1` })],
    readings: [socket([`{"type":"user","uuid":"${UUID}1"}\n`, `${JSON.stringify(increment)}\n`])],
  }),
  'epochs-rise': () => ({ exchanges: [...leases(), ...leases()] }),
  'registered-epochs-rise': () =>
    ofPresent('POST /s/cse_1/worker/register', {}, { status: 200, body: { worker_epoch: 2 } }),
  'earlier-epochs-refused': () => ofPresent(HEARTBEAT, { worker_epoch: 1 }),
  'later-epochs-refused': () => ofPresent(HEARTBEAT, { worker_epoch: 3 }),
  'epoch-needed': () => ofPresent(HEARTBEAT, {}),
  'nothing-for-an-earlier-worker': () => ofPresent('GET /s/cse_1/worker', undefined, { token: 'token-1' }),
  'no-needless-conflict': () => ofPresent(HEARTBEAT, { worker_epoch: 2 }, conflict),
  'reason-that-fits': () => ofPresent(HEARTBEAT, { worker_epoch: 1 }, conflict),
  'reason-of-the-end': () => ({
    ...ofPresent(HEARTBEAT, { worker_epoch: 2 }, conflict),
    archived: new Map([['cse_1', { began: -2, ended: -1 }]]),
  }),
  'archived-for-its-worker': () => ({
    ...ofPresent(HEARTBEAT, { worker_epoch: 2 }),
    archived: new Map([['cse_1', { began: -2, ended: -1 }]]),
  }),
  'heartbeats-taken': () => ofPresent(HEARTBEAT, { worker_epoch: 2 }, { status: 400 }),
  'marks-taken': () =>
    ofPresent('POST /s/cse_1/worker/events/delivery', { worker_epoch: 2, updates: [] }, { status: 404 }),
  'reports-taken': () => ofPresent(`PUT ${STATE}`, { worker_epoch: 2, worker_status: 'idle' }, { status: 400 }),
  'rows-taken': () =>
    ofPresent('POST /s/cse_1/worker/internal-events', { worker_epoch: 2, events: [] }, { status: 400 }),
  'bodies-taken': () => ofPresent('POST /s/cse_1/worker/events', { worker_epoch: 2, events: [7] }, { status: 400 }),
  'state-as-reported': () => ({ exchanges: [report({ a: 1, b: 2 }), report({ a: null }), state({ a: null, b: 2 })] }),
  'state-of-the-earlier-worker': () => ({ exchanges: [report({ a: 1 }), state({}, 'token-2')] }),
  'no-valid-credential': () => ({
    exchanges: [answerTo(POST_OF_VIEWERS, { events: [] }, { token: 'nobody', status: 403 })],
  }),
  'unknown-session': () => ({
    exchanges: [answerTo('POST /v1/code/sessions/cse_2/events', {}, { token: 'a-token-of-a-driver', status: 403 })],
  }),
  'existing-session': () => ({
    exchanges: [answerTo(POST_OF_VIEWERS, {}, { token: 'a-token-of-a-viewer', status: 404 })],
  }),
  'drivers-may-send': () => ({
    exchanges: [answerTo(POST_OF_VIEWERS, {}, { token: 'a-token-of-a-driver', status: 403 })],
  }),
  'approvers-may-answer': () => {
    const request = { type: 'control_request', request_id: 'q', uuid: `${UUID}1` };
    const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'q' } };
    const refused = { ...taken(answer), status: 403, token: 'a-token-of-an-approver' };
    return { exchanges: [taken(request, { path: '/s/cse_1/worker/events' }), refused] };
  },
  'rights-of-accounts': () => ({
    exchanges: [{ ...prompt(1), token: 'a-token-of-a-viewer' }],
    readings: [stream([event(1)])],
  }),
};
