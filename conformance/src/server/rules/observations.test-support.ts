import type { Exchange, Observed, SocketReading, StreamFrame, StreamReading } from '../observed.ts';

/** The time of the next request, link or frame: later than every earlier one. */
let now = 0;
const tick = () => (now += 1);

/** Members that the test does not give are empty. */
export const observe = (seen: Partial<Observed>): Observed => ({
  exchanges: [],
  openings: [],
  lost: [],
  readings: [],
  sessions: new Set(['cse_1']),
  archived: new Map(),
  accounts: { driver: 'a-token-of-a-driver', approver: 'a-token-of-an-approver', viewer: 'a-token-of-a-viewer' },
  ...seen,
});

export const UUID = '11111111-2222-4333-8444-555555555555';

export function envelope(number: number, members: object = {}) {
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

export function frame(event: string | undefined, data: unknown, id?: number, lines = 1): StreamFrame {
  return {
    event,
    id: id === undefined ? undefined : String(id),
    lines: Array.from({ length: lines }, () => ''),
    data,
    at: tick(),
  };
}

export function stream(frames: readonly StreamFrame[], members: Partial<StreamReading> = {}): StreamReading {
  return {
    kind: 'stream',
    party: 'v',
    session: 'cse_1',
    isWorker: false,
    from: 0,
    latest: 0,
    opened: 0,
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    hasCarriageReturns: false,
    ...members,
    frames: [...frames],
  };
}

export function socket(texts: readonly string[], members: Partial<SocketReading> = {}): SocketReading {
  const frames = texts.map((text) => ({ text, isBinary: false, at: tick() }));
  return {
    kind: 'socket',
    receivedBefore: [],
    isAnonymous: false,
    party: 'v',
    session: 'cse_1',
    isWorker: false,
    from: 0,
    opened: 0,
    isNumbered: false,
    frames,
    sent: [],
    ...members,
  };
}

export function refusal(members: Partial<Exchange>): Exchange {
  const body = { type: 'error', error: { type: 'invalid_request_error', message: 'no' } };
  const text = JSON.stringify(members.body ?? body);
  return {
    method: 'POST',
    path: '/x',
    token: 'a-secret-token',
    sent: '',
    status: 400,
    headers: { 'content-type': 'application/json' },
    text,
    body,
    began: tick(),
    ended: tick(),
    ...members,
  };
}

export const event = (number: number, members: object = {}) => frame('client_event', envelope(number, members), number);
export const greeting = '{"ack":0,"from":1}\n';

/** A POST of one message that the server has taken, with the results of the answer. */
export function taken(
  payload: object,
  { path = '/s/cse_1/events', events }: { path?: string; events?: unknown } = {},
): Exchange {
  return refusal({ status: 200, path, sent: JSON.stringify({ events: [{ payload }] }), body: { events } });
}
