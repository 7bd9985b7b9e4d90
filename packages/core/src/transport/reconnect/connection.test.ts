import { expect, test } from 'vitest';
import { defineTransport } from '../define-transport.ts';
import { TransportError } from '../error.ts';
import { encodeBatch } from '../lines/batch.ts';
import { flattenIncoming, incomingMessage } from '../lines/incoming.ts';
import type { Codec, Connection, Link } from './connection-parts.ts';
import { createConnection } from './connection.ts';
import type { StreamGreeting } from './numbered-streams.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const message = (n: number) => encodeBatch({ type: 'user', n });

/** One end, over links that the test holds. */
class TestLink implements Link, Codec {
  bufferedBytes = 0;
  isAcknowledged = true;
  readonly sent: string[] = [];
  readonly calls: string[] = [];

  start(): void {
    this.calls.push('start');
  }
  send({ first, batch }: Parameters<Codec['send']>[0]): void {
    for (const [at, { text }] of [...batch.messages()].entries()) this.sent.push(`${first + at} ${text}`);
  }
  sendEnd(): void {
    this.calls.push('end');
  }
  pause(): void {
    this.calls.push('pause');
  }
  resume(): void {
    this.calls.push('resume');
  }
  close(): void {
    this.calls.push('close');
  }
  drop(): void {
    this.calls.push('drop');
  }
}

function setUp(options: object = {}) {
  const reports: string[] = [];
  let connection!: Connection;
  const transport = defineTransport('test', (control) => {
    const events = {
      onUp(resumed: boolean) {
        reports.push(`up ${resumed}`);
        control.opened();
      },
      onDown: (end: unknown, wasUp: boolean) => void reports.push(`down ${String(end)} ${wasUp}`),
      onProgress: () => void reports.push('progress'),
      onRelease: () => void reports.push('release'),
    };
    return (connection = createConnection(control, events, options));
  });
  const attach = (greeting: Partial<StreamGreeting> = {}) => {
    const link = new TestLink();
    connection.attach(link, link);
    connection.onGreeting({ ack: 0, of: connection.streams.ownName, stream: 'theirs', from: 1, ...greeting });
    return link;
  };
  return { transport, connection, reports, attach };
}

test('sends what the next link lacks, and nothing that was acknowledged', async () => {
  const { transport, connection, reports, attach } = setUp();
  const first = attach();
  for (const n of [1, 2, 3]) await transport.send(message(n));
  connection.onAcknowledged(1);
  connection.onEnd(first, 'cut');
  const second = attach({ ack: 2, from: 1 });
  expect(first.sent.map((line) => line.split(' ')[0])).toEqual(['1', '2', '3']);
  expect(second.sent).toEqual(['3 {"type":"user","n":3}']);
  expect(reports).toEqual(['up true', 'progress', 'down cut true', 'progress', 'up true']);
});

test('a link that was replaced is dropped, and its end changes nothing', () => {
  const { connection, reports, attach } = setUp();
  const first = attach();
  const second = attach();
  expect(first.calls).toContain('drop');
  connection.onEnd(first, 'late');
  expect([connection.isUp, reports]).toEqual([true, ['up true', 'up true']]);
  connection.onEnd(second, 'cut');
  expect(connection.isUp).toBe(false);
});

test('an acknowledgement of another stream, and one of what was never sent, count for nothing', async () => {
  const { transport, connection, attach } = setUp();
  const link = attach({ of: 'of an earlier process', ack: 9 });
  await transport.send(message(1));
  for (const n of [9, -1, 1.5, Number.NaN]) connection.onAcknowledged(n);
  expect(connection.replay.bytes).toBeGreaterThan(0);
  expect(link.sent).toHaveLength(1);
});

test('send waits for room until the other side acknowledges', async () => {
  const { transport, connection, attach } = setUp({ maxReplayBytes: 30 });
  attach();
  await transport.send(message(1));
  let isSent = false;
  const second = transport.send(message(2)).then(() => (isSent = true));
  await turn();
  expect(isSent).toBe(false);
  connection.onAcknowledged(1);
  await second;
});

test('close waits until the other side has everything, also over another link, and then ends the link in order', async () => {
  const { transport, connection, reports, attach } = setUp();
  const first = attach();
  await transport.send(message(1));
  const closed = transport.close();
  await turn();
  connection.onEnd(first, 'cut');
  const second = attach({ ack: 1 });
  await turn();
  expect([first.calls, second.calls].map((calls) => calls.includes('close'))).toEqual([false, true]);
  connection.onEnd(second, 'bye', true);
  await closed;
  expect(await transport.closed).toEqual({ by: 'local' });
  expect(reports.at(-1)).toBe('release');
});

test('close while the link is down and nothing is owed ends at once', async () => {
  const { transport, connection, attach } = setUp();
  connection.onEnd(attach(), 'cut');
  await transport.close();
});

test('the end of the output is sent on each link', async () => {
  const { transport, connection, attach } = setUp();
  const first = attach();
  await transport.send(message(1));
  await transport.end();
  connection.onEnd(first, 'cut');
  const second = attach({ ack: 1 });
  expect([first, second].map(({ calls }) => calls.filter((call) => call === 'end').length)).toEqual([1, 1]);
  expect(connection.streams.ownEnd).toBe(1);
});

test('a paused connection reads a new link until the other side has greeted', async () => {
  const { transport, connection, attach } = setUp();
  connection.pause?.();
  const link = attach();
  expect(link.calls).toEqual(['start', 'pause']);
  connection.resume?.();
  expect(link.calls).toEqual(['start', 'pause', 'resume']);
  connection.onItems([incomingMessage('{"type":"user"}')]);
  expect((await flattenIncoming(transport.incoming).next()).value).toMatchObject({ kind: 'message' });
});

test('abort settles calls that wait, and drops the link', async () => {
  const { transport, connection, attach } = setUp({ maxReplayBytes: 1 });
  const link = attach();
  await transport.send(message(1));
  const waiting = transport.send(message(2));
  transport.abort('enough');
  await expect(waiting).rejects.toSatisfy((error) => TransportError.is(error));
  expect(link.calls).toContain('drop');
  connection.onEnd(link, undefined);
  expect((await transport.closed).error?.code).toBe('aborted');
});

test('a connection that ends with its first link keeps nothing that cannot be acknowledged', async () => {
  const { transport, connection } = setUp({ retains: false });
  const link = Object.assign(new TestLink(), { isAcknowledged: false });
  connection.attach(link);
  connection.onOpen(link);
  connection.onReady(true);
  await transport.send(message(1));
  expect([connection.resumption, connection.unacknowledged, connection.replay.bytes]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});
