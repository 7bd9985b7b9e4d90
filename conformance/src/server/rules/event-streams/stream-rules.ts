import { isObject, shortJson } from '@proto/testkit/steps';

import type { Observed, StreamFrame, StreamReading } from '../../observed.ts';
import { receivedBy, type Rule } from '../rule.ts';

const ENVELOPE = ['event_id', 'sequence_num', 'event_type', 'source', 'payload', 'created_at'];
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

export const streamRules: readonly Rule[] = [
  rule('content-type', 'EVS-2', ({ headers }) => {
    const type = headers['content-type'] ?? 'none';
    return /^text\/event-stream\s*(;|$)/.test(type) ? undefined : `the content type ${type}`;
  }),
  rule('line-ends', 'EVS-4', ({ hasCarriageReturns }) =>
    hasCarriageReturns ? 'a line that ends with CRLF' : undefined,
  ),
  eachFrame('one-data-line', 'EVS-5', ({ lines }) => lines.length <= 1),
  eachFrame('frame-of-events', 'EVS-14', ({ event, id, data }) => {
    if (event === 'client_event') return isObject(data) && id === String(data['sequence_num']);
    return event !== undefined && event !== 'message' && !(isObject(data) && 'sequence_num' in data);
  }),
  eachFrame('no-id-of-ephemeral', 'EVS-15', ({ event, id }) => event !== 'ephemeral_event' || id === undefined),
  rule('other-ids', 'EVS-16', ({ frames, latest }) => {
    let cursor = latest;
    for (const { event, id } of frames) {
      if (event === 'client_event') cursor = Math.max(cursor, Number(id ?? 0));
      else if (id !== undefined && Number(id) > cursor)
        return `a frame "${event}" with the id ${id} when the cursor was ${cursor}`;
    }
    return undefined;
  }),
  eachFrame('envelope', 'REM-8', ({ event, data }) => {
    if (event !== 'client_event') return true;
    if (!isObject(data) || ENVELOPE.some((name) => data[name] === undefined)) return false;
    const { event_type, payload, created_at } = data;
    return isObject(payload) && payload['type'] === event_type && ISO_TIME.test(String(created_at));
  }),
  eachFrame('id-of-client-events', 'REM-10', ({ event, data }) => {
    if (event !== 'client_event' || !isObject(data) || data['source'] === 'worker') return true;
    return isObject(data['payload']) && data['payload']['uuid'] === data['event_id'];
  }),
  {
    name: 'resume-first',
    spec: 'EVS-21',
    *check({ readings }: Observed) {
      const streams = readings.filter((reading) => reading.kind === 'stream');
      const isSaid = streams.some(({ frames }) => frames.some(({ event }) => event === 'resume'));
      for (const { party, frames } of isSaid ? streams : []) {
        const [first, ...others] = frames;
        if (first !== undefined && (!isResume(first) || others.some(({ event }) => event === 'resume')))
          yield `${receivedBy(party)}no "resume" frame at the beginning, or more than one such frame; each stream of this server must begin with exactly one.`;
      }
    },
  },
  rule('end-is-last', 'EVS-22', ({ frames }) => {
    const end = frames.findIndex(({ event }) => event === 'session_archived');
    if (end === -1 || (end === frames.length - 1 && isObject(frames[end]?.data))) return undefined;
    return end === frames.length - 1
      ? 'session_archived without an object as its data'
      : 'a frame after session_archived';
  }),
  eachFrame('gap-with-data', 'EVS-20', ({ event, data }) => event !== 'catch_up_truncated' || isObject(data)),
  rule('order-of-numbers', 'RES-28', (reading) => {
    const numbers = numbersOf(reading);
    const at = numbers.findIndex((number, place) => place > 0 && number <= (numbers[place - 1] ?? 0));
    return at === -1 ? undefined : `the event ${numbers[at]} after the event ${numbers[at - 1]}`;
  }),
  rule('after-the-cursor', 'REM-22', (reading) => {
    // After `unknown_cursor` the numbers restart below the cursor.
    if (reading.frames.some(({ data }) => isObject(data) && data['reason'] === 'unknown_cursor')) return undefined;
    const early = numbersOf(reading).find((number) => number <= reading.from);
    return early === undefined ? undefined : `the event ${early}, although its cursor was ${reading.from}`;
  }),
  rule('no-own-events', 'REM-25', ({ isWorker, frames }) => {
    const own = isWorker && frames.find(({ data }) => isObject(data) && data['source'] === 'worker');
    return own ? `the event ${own.id}, which a worker had sent` : undefined;
  }),
  eachFrame(
    'no-credentials-of-lines',
    'WSK-21',
    ({ data }) => !isObject(payloadOf(data)) || payloadOf(data)['type'] !== 'auth',
  ),
  eachFrame(
    'no-keep-alive',
    'REM-21',
    ({ data }) => !isObject(payloadOf(data)) || payloadOf(data)['type'] !== 'keep_alive',
  ),
];

function rule(name: string, spec: string, problem: (reading: StreamReading) => string | undefined): Rule {
  return {
    name,
    spec,
    *check({ readings }: Observed) {
      for (const reading of readings) {
        const found = reading.kind === 'stream' ? problem(reading) : undefined;
        if (found !== undefined) yield `${receivedBy(reading.party)}${found}.`;
      }
    },
  };
}

function eachFrame(name: string, spec: string, holds: (frame: StreamFrame) => boolean): Rule {
  return rule(name, spec, ({ frames }) => {
    const bad = frames.find((frame) => !holds(frame));
    return bad === undefined
      ? undefined
      : `an invalid frame: ${shortJson({ event: bad.event, id: bad.id, data: bad.data ?? bad.lines })}`;
  });
}

function isResume({ event, data }: StreamFrame): boolean {
  return event === 'resume' && isObject(data) && (data['verdict'] === 'ok' || data['verdict'] === 'gap');
}

export function numbersOf({ frames }: StreamReading): readonly number[] {
  return frames.filter(({ event, id }) => event === 'client_event' && id !== undefined).map(({ id }) => Number(id));
}

function payloadOf(data: unknown): Readonly<Record<string, unknown>> {
  return isObject(data) && isObject(data['payload']) ? data['payload'] : {};
}
