/** Tests of the limits on received lines that the server holds in memory. */
import type { ServerConnection, ReceivedLine } from '@proto/transport-websocket';
import { expect, test } from 'vitest';
import { Inbox } from './inbox.ts';
import { sendRefusals } from './send-refusals.ts';

/** A link that counts how often it was paused and resumed. */
function fakeLink() {
  const link = { pauses: 0, resumes: 0, acknowledged: 0, isEnded: false };
  return Object.assign(link, {
    pause: () => void link.pauses++,
    resume: () => void link.resumes++,
    acknowledge: (id: number) => void (link.acknowledged = id),
  });
}

test.each<[string, ReceivedLine]>([
  ['no text', { id: 1, text: undefined }],
  ['little text', { id: 1, text: '1' }],
])('lines with %s count towards the limit of lines that wait to be stored, which pauses the link', async (_, line) => {
  const link = fakeLink();
  let stored = () => {};
  const store = () => new Promise<void>((resolve) => (stored = resolve));
  const inbox = new Inbox(link as unknown as ServerConnection, { store, owe: () => 0, onError: () => {} });
  const lines = Array.from({ length: 1000 }, () => line);
  for (let n = 0; n < 100 && link.pauses === 0; n++) inbox.push(lines);
  expect(link.pauses).toBeGreaterThan(0);
  for (let n = 0; n < 1000 && link.resumes === 0; n++) {
    stored();
    await new Promise(setImmediate);
  }
  expect([link.resumes, link.acknowledged]).toEqual([1, 1]);
});

test('a client that does not read its refusals is paused until it reads', async () => {
  let read = () => {};
  const slow = {
    isResumable: true,
    write: () => false,
    drained: () => new Promise<void>((resolve) => (read = resolve)),
  };
  const link = Object.assign(fakeLink(), slow);
  const refuse = (lines: readonly ReceivedLine[]) =>
    sendRefusals(
      link as unknown as ServerConnection,
      lines.map(() => ({ entry: undefined, type: 'invalid_entry' })),
    );
  const inbox = new Inbox(link as unknown as ServerConnection, { store: refuse, owe: () => 0, onError: () => {} });
  for (let id = 1; id <= 100_000 && link.pauses === 0; id++) {
    inbox.push([{ id, text: undefined }]);
    if (id % 1000 === 0) await new Promise(setImmediate);
  }
  expect(link.pauses).toBe(1);
  for (let n = 0; n < 1000 && link.resumes === 0; n++) {
    read();
    await new Promise(setImmediate);
  }
  expect(link.resumes).toBe(1);
});
