import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { TransportError } from '../error.ts';
import { createNumberedStreams, type StreamGreeting } from './numbered-streams.ts';

const greeting = (members: Partial<StreamGreeting> = {}): StreamGreeting => ({
  ack: 0,
  from: 1,
  stream: 'theirs',
  ...members,
});

verifies(['WSK-62'], 'each process has a stream of another name', async () => {
  const names = [createNumberedStreams().ownName, createNumberedStreams().ownName];
  // A module that is loaded again begins like a new process.
  vi.resetModules();
  names.push((await import('./numbered-streams.ts')).createNumberedStreams().ownName);
  expect(new Set(names).size).toBe(3);
});

test('a greeting has the name of the own stream and the number of the last message that was received', () => {
  const one = createNumberedStreams();
  expect(one.greeting(1)).toEqual({ ack: 0, of: undefined, stream: one.ownName, from: 1 });
  one.onGreeting(greeting(), true);
  one.isNew(3);
  expect(one.greeting(5)).toEqual({ ack: 3, of: 'theirs', stream: one.ownName, from: 5 });
});

test('a number is new once, also on the next link', () => {
  const streams = createNumberedStreams();
  streams.onGreeting(greeting(), true);
  expect([1, 2, 2, 1].map((id) => streams.isNew(id))).toEqual([true, true, false, false]);
  expect(streams.onGreeting(greeting({ from: 3 }), false)).toBe(true);
  expect([2, 3].map((id) => streams.isNew(id))).toEqual([false, true]);
});

test.each<[why: string, members: Partial<StreamGreeting>, resumed: boolean, received: number]>([
  ['goes on', { from: 6 }, true, 5],
  ['sends some again', { from: 2 }, true, 5],
  ['begins too late', { from: 7 }, false, 5],
  ['is another stream', { stream: 'new' }, false, 0],
  ['is a log that has lost its end', { stream: undefined, log: 'log', from: 4, gap: true }, false, 3],
])('a peer whose stream %s', (_, members, resumed, received) => {
  const streams = createNumberedStreams('5@theirs');
  expect(streams.onGreeting(greeting(members), false)).toBe(resumed);
  expect(streams.received).toBe(received);
});

test('the end of the peer is reached when everything up to it has come', () => {
  const streams = createNumberedStreams();
  streams.onPeerEnd(2);
  expect(streams.isPeerDone).toBe(false);
  streams.isNew(2);
  expect(streams.isPeerDone).toBe(true);
});

test('a greeting that cannot be read is refused, and changes nothing', () => {
  const streams = createNumberedStreams('5@theirs');
  for (const members of [
    { ack: '1' },
    { from: -1 },
    { ack: 1.5 },
    { of: {} },
    { stream: 7 },
    { log: [] },
  ] as object[]) {
    expect(() => streams.onGreeting(greeting(members), false)).toThrow(TransportError);
  }
  expect(streams.greeting(1)).toMatchObject({ ack: 5, of: 'theirs' });
});

test('the acknowledged place never moves back, and places have the name of the stream', () => {
  const { resumption, ...streams } = { ...createNumberedStreams() };
  expect(streams.received).toBe(0);
  resumption.acknowledge('4@theirs');
  resumption.acknowledge('2@theirs');
  expect(resumption.cursor).toBe('4@theirs');
  const named = createNumberedStreams();
  named.onGreeting(greeting(), true);
  expect([named.placeOf(7), named.placeOf(undefined)]).toEqual([{ cursor: '7@theirs' }, {}]);
});
