import { expect, test } from 'vitest';

import { countedReads } from '../../counted-reads.test-support.ts';
import type { Exchange, Observed } from '../observed.ts';
import { answerTo, HEARTBEAT, leases, STATE, state } from './broken-in-time.test-support.ts';
import { serverRules } from './check-rules.ts';
import {
  envelope,
  frame,
  greeting,
  observe,
  refusal,
  socket,
  stream,
  taken,
  UUID,
} from './observations.test-support.ts';

const OF_WORKER = { path: '/s/cse_1/worker/events' };

/** Observations that grow: each makes `count` of something. */
const shapes: Readonly<Record<string, (count: number) => Partial<Observed>>> = {
  'posted events': (count) => {
    const sent = times(count, (at) => [prompt(2 * at - 1), report(2 * at), event(2 * at - 1), event(2 * at, 'worker')]);
    return { exchanges: sent.flatMap(exchangesIn), readings: [stream([resumed(), ...sent.flatMap(framesIn)])] };
  },
  'streams that each get few': (count) => {
    const exchanges = times(count, (at) => [prompt(at)]);
    const readings = times(count, (at) => [
      stream([resumed(), event(at), event(at + 1)], { from: at - 1, latest: at - 1 }),
    ]);
    return { exchanges, readings };
  },
  'streams of workers that each get few': (count) => {
    const exchanges = times(count, (at) => [prompt(at)]);
    const frames = times(count, (at) => [event(at)]);
    const readings = times(count, (at) => [
      stream([resumed(), event(at), event(at + 1)], { isWorker: true, from: at - 1, latest: at - 1 }),
    ]);
    return { exchanges, readings: [stream([resumed(), ...frames]), ...readings] };
  },
  sessions: (count) => {
    const names = times(count, (at) => [`cse_${at}`]);
    return {
      sessions: new Set(names),
      exchanges: names.map((session, at) => taken({ type: 'user', uuid: id(at) }, { path: `/s/${session}/events` })),
      readings: names.map((session, at) => stream([resumed(), event(at)], { session, from: at - 1, latest: at - 1 })),
    };
  },
  'deliveries that a worker acknowledges': (count) => {
    const posts = times(count, (at) => [prompt(at)]);
    const events = times(count, (at) => [event(at)]);
    const parts = times(count, (at) => [
      answerTo(`POST /s/cse_1/worker/events/delivery`, { updates: [{ event_id: id(at), status: 'processed' }] }),
      frame('delivery_update', { event_id: id(at), status: 'DELIVERY_STATUS_PROCESSED' }),
    ]);
    const exchanges = [...leases(), ...posts, ...parts.flatMap(exchangesIn), prompt(count + 1)];
    return { exchanges, readings: [stream([resumed(), ...events, ...parts.flatMap(framesIn), event(count + 1)])] };
  },
  'requests that are answered': (count) => {
    const parts = times(count, (at) => [
      taken({ type: 'control_request', uuid: id(2 * at), request_id: `q${at}`, request: {} }, OF_WORKER),
      taken({ type: 'control_response', uuid: id(2 * at + 1), response: { request_id: `q${at}`, subtype: 'error' } }),
      frame('control_resolved', { request_id: `q${at}`, by: 'a', outcome: 'answered' }),
    ]);
    const last = [prompt(2 * count), event(2 * count)];
    const frames = [...parts, ...last].flatMap(framesIn);
    return { exchanges: [...parts, ...last].flatMap(exchangesIn), readings: [stream([resumed(), ...frames])] };
  },
  'requests that are open': (count) => {
    const asked = (at: number) => ({ type: 'control_request', uuid: id(at), request_id: `q${at}`, request: {} });
    const parts = times(count, (at) => [
      taken(asked(at), OF_WORKER),
      numbered(at, { event_type: 'control_request', source: 'worker', payload: asked(at) }),
    ]);
    return {
      exchanges: parts.flatMap(exchangesIn),
      readings: [stream([resumed(), ...parts.flatMap(framesIn)]), stream([resumed(), ...parts.flatMap(framesIn)])],
    };
  },
  'ephemeral messages': (count) => {
    const parts = times(count, (at) => {
      const payload = { type: 'stream_event', uuid: id(at + 2) };
      const sent = JSON.stringify({ events: [{ payload, ephemeral: true }] });
      return [
        { ...taken(payload, OF_WORKER), sent },
        frame('ephemeral_event', { event_type: 'stream_event', source: 'worker', payload }),
      ];
    });
    const all = [prompt(1), event(1), ...parts, prompt(2), event(2)];
    return { exchanges: all.flatMap(exchangesIn), readings: [stream([resumed(), ...all.flatMap(framesIn)])] };
  },
  'messages without a uuid': (count) => {
    const parts = times(count, (at) => [
      taken({ type: 'user', text: `text ${at}` }),
      numbered(at, { event_id: id(at), payload: { type: 'user', uuid: id(at), text: `text ${at}` } }),
    ]);
    const reader = stream([resumed(), ...parts.flatMap(framesIn), event(count + 1)]);
    return { exchanges: [...parts.flatMap(exchangesIn), prompt(count + 1)], readings: [reader] };
  },
  'frames of sockets': (count) => {
    const frames = times(count, (at) => [event(at, 'worker')]);
    const [lines, sent] = [times(count, (at) => [line(at)]), times(count, (at) => [line(count + at)])];
    const numberedLines = times(count, (at) => [`{"id":${at},"source":"worker","data":${line(at).trim()}}\n`]);
    const readings = [
      stream([resumed(), ...frames]),
      socket(lines, { sent, receivedBefore: sent.map(() => 0), isAnonymous: true }),
      socket(lines, { isWorker: true, sent }),
      socket([greeting, ...numberedLines], { isNumbered: true }),
    ];
    return { readings };
  },
  sockets: (count) => ({
    exchanges: times(count, (at) => [prompt(at)]),
    readings: [
      stream([resumed(), ...times(count, (at) => [event(at)])]),
      ...times(count, (at) => [socket([line(at)], { isWorker: at % 2 === 0, sent: [line(2 * count + at)] })]),
    ],
  }),
  'refused requests': (count) => ({
    exchanges: times(count, (at) => [
      refusal({ token: `a-secret-token-${at}` }),
      { ...prompt(count + at), status: 403 },
      { ...report(2 * count + at), status: 409 },
    ]),
    readings: [stream([resumed(), ...times(count, (at) => [event(at)])])],
  }),
  'workers one after the other': (count) => ({
    exchanges: times(count, (at) => [
      answerTo('POST /s/cse_1/bridge', {}, { body: { worker_jwt: `token-${at}`, worker_epoch: at } }),
      answerTo(HEARTBEAT, { worker_epoch: at }, { token: `token-${at}` }),
    ]),
  }),
  'reports of a state': (count) => ({
    exchanges: times(count, (at) => [
      answerTo(`PUT ${STATE}`, { worker_epoch: 1, external_metadata: { a: at } }),
      state({ a: at }),
    ]),
  }),
  'rows of a transcript': (count) => ({
    exchanges: times(count, (at) => [
      answerTo(`POST ${ROWS}`, { worker_epoch: 1, events: [{ payload: { type: 'user', uuid: id(at) } }] }),
      answerTo(`GET ${ROWS}?limit=1`, undefined, {
        body: { data: [{ payload: { type: 'user', uuid: id(at) } }], next_cursor: 'c' },
      }),
    ]),
  }),
};

const FEW = 30;

for (const [name, shape] of Object.entries(shapes))
  test(`no rule reads twice as many ${name} more than three times as often`, () => {
    const [few, twice] = [FEW, 2 * FEW].map((count) => readsOfRules(observe(shape(count))));
    const ratios = serverRules.map((rule, at) => ({ rule: rule.name, ratio: (twice?.[at] ?? 0) / (few?.[at] ?? 1) }));
    expect(ratios.filter(({ ratio }) => ratio > 3)).toEqual([]);
  });

function readsOfRules(observed: Observed): readonly number[] {
  // A set or a map of a session is not an object whose members are read.
  const { sessions, archived, ...lists } = observed;
  return countedReads(
    lists,
    serverRules.map((rule) => (counted) => rule.check({ sessions, archived, ...counted })),
  );
}

const ROWS = '/v1/code/sessions/cse_1/worker/internal-events';

type Part = Exchange | ReturnType<typeof frame>;

const exchangesIn = (part: Part) => ('path' in part ? [part] : []);
const framesIn = (part: Part) => ('lines' in part ? [part] : []);

function times<T>(count: number, parts: (at: number) => readonly T[]): T[] {
  return Array.from({ length: count }, (_, at) => parts(at + 1)).flat();
}

function id(number: number): string {
  return `${UUID}${number}`;
}

function prompt(number: number): Exchange {
  return taken({ type: 'user', uuid: id(number) });
}

function report(number: number): Exchange {
  return taken({ type: 'user', uuid: id(number) }, OF_WORKER);
}

function numbered(number: number, members: object = {}) {
  return frame('client_event', envelope(number, members), number);
}

function event(number: number, source = 'client') {
  return numbered(number, { source });
}

function resumed() {
  return frame('resume', { verdict: 'ok' }, 0);
}

function line(number: number): string {
  return `${JSON.stringify({ type: 'user', uuid: id(number) })}\n`;
}
