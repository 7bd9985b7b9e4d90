import {
  defineTransport,
  flattenIncoming,
  type Incoming,
  incomingMessage,
  isResumable,
  type TransportControl,
} from '@proto/core/transport';
import { expect, test, vi } from 'vitest';
import { readSession, type ReadSessionOptions } from './read-session.ts';

/** Reads a session over a transport that the test controls. */
function session(options: Partial<ReadSessionOptions> = {}) {
  let control!: TransportControl;
  const acknowledged: string[] = [];
  const viewer = defineTransport('scripted', (given) => {
    control = given;
    return {
      write() {},
      close: () => given.closed(),
      abort: () => given.closed(),
      resumption: { cursor: undefined, acknowledge: (cursor) => void acknowledged.push(cursor) },
    };
  });
  control.opened();
  const save = vi.fn();
  const cursorFile = { save, flush: async () => {} };
  const read = readSession(viewer, {
    last: 2,
    cursorFile,
    onMessage() {},
    onLink() {},
    onGap: () => false,
    ...options,
  });
  return { control, read, save, acknowledged, closed: viewer.closed };
}
const note = (cursor: number, text = 'x') =>
  incomingMessage(JSON.stringify({ type: 'note', text }), { cursor: String(cursor) });
const gap: Incoming = { kind: 'link', state: 'up', attempt: 1, resumed: false };

test('messages from the log are distinguished from live messages', async () => {
  const onMessage = vi.fn();
  const { control, read } = session({ onMessage });
  control.receive([note(1), note(2), note(3), incomingMessage('{"type":"ephemeral"}')]);
  control.ended();
  for await (const _ of flattenIncoming(read.incoming));
  expect(onMessage.mock.calls.map(([, isLive]) => isLive)).toEqual([false, false, true, true]);
});

test('a cursor is saved when the reader acknowledges it, and not earlier', async () => {
  const { control, read, save, acknowledged } = session();
  control.receive([note(1), note(2)]);
  expect((await flattenIncoming(read.incoming).next()).value).toMatchObject({ cursor: '1' });
  expect(save).not.toHaveBeenCalled();
  if (isResumable(read)) read.resumption.acknowledge('1');
  expect([save.mock.calls, acknowledged]).toEqual([[['1']], ['1']]);
});

test('reading stops at a gap when onGap requests that', async () => {
  const { control, read, closed } = session({ onGap: () => true });
  control.receive([note(1), gap, note(9)]);
  const items: Incoming[] = [];
  for await (const item of flattenIncoming(read.incoming)) items.push(item);
  expect(items).toHaveLength(1);
  await closed;
});

test('reading continues after a gap when onGap allows that', async () => {
  const onGap = vi.fn(() => false);
  const { control, read } = session({ onGap });
  control.receive([gap, note(9)]);
  control.ended();
  const items: Incoming[] = [];
  for await (const item of flattenIncoming(read.incoming)) items.push(item);
  expect([items.length, onGap.mock.calls.length]).toEqual([2, 1]);
});

test('U+2028 and U+2029 are escaped in the text of a message', async () => {
  const { control, read } = session();
  control.receive([note(1, 'one\u2028two\u2029')]);
  expect((await flattenIncoming(read.incoming).next()).value).toMatchObject({
    text: '{"type":"note","text":"one\\u2028two\\u2029"}',
    cursor: '1',
  });
});
