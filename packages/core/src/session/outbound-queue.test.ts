import { verifies } from '@proto/requirements';
import { holdsForAny } from '@proto/test-support';
import { describe, expect, test, vi } from 'vitest';
import type { Batch, Outgoing } from '../transport/transport.ts';
import { outboundPiped } from './outbound-piped.scenario.test-support.ts';
import { outboundRead } from './outbound-read.scenario.test-support.ts';
import { createOutboundStream } from './outbound-queue.ts';
import type { OutboundStream, OutboundStreamOptions } from './outbound-stream.ts';

const message = (n: number) => ({ type: 'test', n });
const textOf = (n: number) => JSON.stringify(message(n));

function streamWith(count: number, options?: OutboundStreamOptions): OutboundStream {
  const stream = createOutboundStream(options);
  for (let n = 0; n < count; n++) stream.enqueue(message(n));
  return stream;
}

/** What a reader gets, and how it ended. */
async function drain(reader: AsyncIterator<Outgoing>): Promise<string[]> {
  const texts: string[] = [];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) texts.push(next.value.text);
  return texts;
}

/** A transport that keeps what it is sent, and holds each `send` until it is let go. */
function heldTransport() {
  const batches: Batch[] = [];
  let letGo: (() => void)[] = [];
  return {
    batches,
    send(batch: Batch) {
      batches.push(batch);
      return new Promise<void>((resolve) => letGo.push(resolve));
    },
    release() {
      const held = letGo;
      letGo = [];
      for (const go of held) go();
    },
  };
}

describe('read by for await', () => {
  verifies('S0-04', 'yields what was enqueued, in order', async () => {
    const stream = streamWith(3);
    stream.end();
    const texts: string[] = [];
    for await (const { text } of stream) texts.push(text);
    expect(texts).toEqual([textOf(0), textOf(1), textOf(2)]);
  });

  verifies('S0-05', 'can be iterated once, by for await or by pipeTo', async () => {
    const stream = streamWith(0);
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(new TypeError('Stream can only be iterated once'));
    await expect(stream.pipeTo(heldTransport())).rejects.toThrow('Stream can only be iterated once');
  });

  verifies(
    ['S0-06', 'S0-08'],
    'what is enqueued without a reader waits, and the oldest is handed out at once',
    async () => {
      const stream = streamWith(2);
      expect(stream.count).toBe(2);
      const reader = stream[Symbol.asyncIterator]();
      await expect(reader.next()).resolves.toMatchObject({ done: false, value: { text: textOf(0) } });
      expect(stream.count).toBe(1);
    },
  );

  verifies('S0-07', 'a waiting next is resolved by the next enqueue, which queues nothing', async () => {
    const stream = createOutboundStream();
    const waiting = stream[Symbol.asyncIterator]().next();
    stream.enqueue(message(7), { id: 'seven', ephemeral: true });
    expect(stream.count).toBe(0);
    expect(stream.bytes).toBe(0);
    await expect(waiting).resolves.toEqual({ done: false, value: { text: textOf(7), id: 'seven', ephemeral: true } });
  });

  verifies('S0-09', 'done ends a waiting reader, and what waits comes before the end', async () => {
    const idle = createOutboundStream();
    const waiting = idle[Symbol.asyncIterator]().next();
    idle.end();
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });

    const stream = streamWith(2);
    stream.end();
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0), textOf(1)]);
  });

  verifies('S0-10', 'next after the end says so each time', async () => {
    const stream = streamWith(0);
    stream.end();
    const reader = stream[Symbol.asyncIterator]();
    await expect(reader.next()).resolves.toEqual({ done: true, value: undefined });
    await expect(reader.next()).resolves.toEqual({ done: true, value: undefined });
  });

  verifies('S0-11', 'an error comes behind what waits, every time, and never instead of done', async () => {
    const broken = new Error('broken');
    const waiting = createOutboundStream();
    const next = waiting[Symbol.asyncIterator]().next();
    waiting.fail(broken);
    await expect(next).rejects.toBe(broken);

    const buffered = streamWith(1);
    buffered.fail(broken);
    const reader = buffered[Symbol.asyncIterator]();
    await expect(reader.next()).resolves.toMatchObject({ value: { text: textOf(0) } });
    await expect(reader.next()).rejects.toBe(broken);
    await expect(reader.next()).rejects.toBe(broken);

    const done = streamWith(0);
    done.end();
    done.fail(broken);
    await expect(done[Symbol.asyncIterator]().next()).resolves.toMatchObject({ done: true });
  });

  verifies('S0-12', 'leaving early ends the stream, runs the cleanup once and forgets what waits', async () => {
    const onReturn = vi.fn();
    const stream = streamWith(3, { onReturn });
    for await (const { text } of stream) {
      expect(text).toBe(textOf(0));
      break;
    }
    expect(onReturn).toHaveBeenCalledTimes(1);
    expect(stream).toMatchObject({ state: 'completed', count: 0, bytes: 0 });
    expect(() => stream.enqueue(message(9))).toThrow(expect.objectContaining({ code: 'closed' }));
  });

  verifies('S0-13', 'its state can be seen at each step', async () => {
    const stream = createOutboundStream();
    const seen = [stream.state];
    const see = () => seen.push(stream.state);
    stream.enqueue(message(1));
    see();
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    see();
    stream.enqueue(message(2));
    see();
    stream.end();
    see();
    await reader.next();
    see();
    expect(seen).toEqual(['created', 'buffering', 'waiting', 'buffering', 'buffering', 'completed']);
  });

  verifies('S0-71', 'what is enqueued after the end is refused with a code', async () => {
    const stream = streamWith(1);
    stream.end();
    expect(() => stream.enqueue(message(2))).toThrow(expect.objectContaining({ code: 'closed' }));
    await expect(stream.emit(message(2))).rejects.toMatchObject({ code: 'closed' });
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0)]);
  });

  verifies('S0-72', 'return settles a waiting next, and an error without a reader goes nowhere else', async () => {
    const left = createOutboundStream();
    const reader = left[Symbol.asyncIterator]();
    const waiting = reader.next();
    await expect(reader.return?.()).resolves.toEqual({ done: true, value: undefined });
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });

    const unread = streamWith(0, { highWaterMarkBytes: 1 });
    void unread.emit(message(1));
    void unread.emit(message(2));
    unread.fail(new Error('nobody reads'));
    const pipe = unread.pipeTo({ send: () => Promise.reject(new Error('refused')) });
    await expect(pipe).rejects.toThrow('refused');
    // The run fails on any unhandled rejection; give one the time to show.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  verifies('S0-73', 'several next in flight are settled in call order', async () => {
    const stream = createOutboundStream();
    const reader = stream[Symbol.asyncIterator]();
    const settled: string[] = [];
    const waiting = ['first', 'second', 'third'].map((name) =>
      reader.next().then(({ value }) => settled.push(`${name} ${value?.text ?? 'end'}`)),
    );
    stream.enqueue(message(1));
    stream.enqueue(message(2));
    stream.end();
    await Promise.all(waiting);
    expect(settled).toEqual([`first ${textOf(1)}`, `second ${textOf(2)}`, 'third end']);
  });
});

describe('what waits', () => {
  test('is the text of the moment: later changes of the object do not reach it', async () => {
    const stream = createOutboundStream();
    const mutable = { type: 'test', n: 1 };
    stream.enqueue(mutable);
    mutable.n = 2;
    stream.end();
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(1)]);
  });

  test('is not touched by a message that JSON cannot express', async () => {
    const stream = streamWith(1);
    expect(() => stream.enqueue({ type: 'test', n: 1n })).toThrow(TypeError);
    expect(stream.count).toBe(1);
  });

  verifies(['S2-62', 'S2-63'], 'never holds a literal line separator, whichever way it leaves', async () => {
    const tricky = { type: 'test', text: 'a\u2028b\u2029c\nd' };
    const piped: string[] = [];
    const forPipe = createOutboundStream();
    forPipe.enqueue(tricky);
    forPipe.end();
    await forPipe.pipeTo({ send: async (batch) => void piped.push(batch.text) });
    const forReader = createOutboundStream();
    forReader.enqueue(tricky);
    forReader.end();
    const [read] = await drain(forReader[Symbol.asyncIterator]());
    for (const text of [piped[0]?.slice(0, -1), read]) {
      expect(text).not.toMatch(/[\u2028\u2029\n]/);
      expect(JSON.parse(text ?? '')).toEqual(tricky);
    }
  });

  test('stands in blocks of about 64 KB, a longer message in its own', async () => {
    const stream = createOutboundStream();
    const kilobyte = { type: 'test', text: 'x'.repeat(1000) };
    for (let n = 0; n < 200; n++) stream.enqueue(kilobyte);
    stream.enqueue({ type: 'test', text: 'x'.repeat(200_000) });
    stream.enqueue(kilobyte);
    stream.end();
    const sizes: number[] = [];
    await stream.pipeTo({ send: async (batch) => void sizes.push(batch.text.length) });
    const long = sizes.find((size) => size > 200_000);
    expect(sizes.filter((size) => size > 64 * 1024)).toEqual([long]);
    expect(sizes.length).toBeLessThan(8);
  });
});

describe('pipeTo', () => {
  test.each([10, 100_000])(
    'a transport that throws fails the pipe, and nobody who enqueues: %i characters',
    async (length) => {
      const broken = new Error('broken');
      const throwing = () => {
        throw broken;
      };
      for (const [options, send] of [
        [{}, throwing],
        [{ onDrain: throwing }, async () => {}],
      ] as const) {
        const stream = createOutboundStream(options);
        const piped = stream.pipeTo({ send });
        stream.enqueue({ type: 'x', text: 'x'.repeat(length) });
        await expect(piped).rejects.toBe(broken);
        expect(() => stream.enqueue({ type: 'x' })).toThrow('Stream closed');
      }
    },
  );

  test('sends what one tick enqueued as one batch, and the next when that has settled', async () => {
    const transport = heldTransport();
    const stream = createOutboundStream();
    const piped = stream.pipeTo(transport);
    stream.enqueue(message(1));
    stream.enqueue(message(2));
    await vi.waitFor(() => expect(transport.batches).toHaveLength(1));
    expect(transport.batches[0]).toMatchObject({ count: 2, text: `${textOf(1)}\n${textOf(2)}\n` });
    stream.enqueue(message(3));
    await Promise.resolve();
    expect(transport.batches).toHaveLength(1);
    transport.release();
    await vi.waitFor(() => expect(transport.batches).toHaveLength(2));
    stream.end();
    transport.release();
    await piped;
  });

  test('hands on ids and what is ephemeral', async () => {
    const stream = createOutboundStream();
    stream.enqueue(message(1), { id: 'one' });
    stream.enqueue(message(2), { ephemeral: true });
    stream.end();
    const sent: Outgoing[] = [];
    await stream.pipeTo({ send: async (batch) => void sent.push(...batch.messages()) });
    expect(sent).toEqual([
      { text: textOf(1), id: 'one', ephemeral: false },
      { text: textOf(2), id: undefined, ephemeral: true },
    ]);
  });

  test('rejects when sending fails, and what waited is told so', async () => {
    const stream = streamWith(0, { highWaterMarkBytes: 10 });
    const broken = new Error('broken');
    let fail: (error: Error) => void = () => {};
    const piped = stream.pipeTo({ send: () => new Promise((_, reject) => (fail = reject)) });
    await stream.emit(message(1));
    const waiting = stream.emit(message(2));
    fail(broken);
    await expect(piped).rejects.toBe(broken);
    await expect(waiting).rejects.toBe(broken);
    expect(stream).toMatchObject({ state: 'completed', bytes: 0 });
  });

  test('rejects with the error the stream ended with, behind what waited', async () => {
    const stream = streamWith(2);
    const broken = new Error('broken');
    stream.fail(broken);
    const sent: number[] = [];
    await expect(stream.pipeTo({ send: async ({ count }) => void sent.push(count) })).rejects.toBe(broken);
    expect(sent).toEqual([2]);
  });

  test('keeps the order of the calls under any schedule', () => holdsForAny(outboundPiped, 300), 30_000);
});

test('gives each reader its message under any schedule', () => holdsForAny(outboundRead, 1000), 30_000);

describe('above the high-water mark', () => {
  const size = textOf(0).length + 1;

  test('wait: emit stays pending until less than the mark waits', async () => {
    const stream = createOutboundStream({ highWaterMarkBytes: 2 * size });
    await stream.emit(message(0));
    let roomy = false;
    const waiting = stream.emit(message(1)).then(() => {
      roomy = true;
    });
    await Promise.resolve();
    expect(roomy).toBe(false);
    await stream[Symbol.asyncIterator]().next();
    await waiting;
    expect(roomy).toBe(true);
  });

  test('wait: with a mark of 0 emit stays pending until nothing waits', async () => {
    const stream = createOutboundStream({ highWaterMarkBytes: 0 });
    const reader = stream[Symbol.asyncIterator]();
    const first = reader.next();
    await stream.emit(message(0));
    await first;
    const waiting = stream.emit(message(1));
    await reader.next();
    await expect(waiting).resolves.toBeUndefined();
  });

  test('fail: enqueue throws and queues nothing, but one message alone always fits', () => {
    const stream = createOutboundStream({ highWaterMarkBytes: size, overflow: 'fail' });
    stream.enqueue({ type: 'test', text: 'x'.repeat(10 * size) });
    expect(() => stream.enqueue(message(1))).toThrow(expect.objectContaining({ code: 'overflow' }));
    expect(stream.count).toBe(1);
  });

  test('drop-ephemeral: ephemeral messages are counted, others wait', async () => {
    const stream = createOutboundStream({ highWaterMarkBytes: size, overflow: 'drop-ephemeral' });
    stream.enqueue(message(0));
    stream.enqueue(message(1), { ephemeral: true });
    stream.enqueue(message(2));
    stream.end();
    expect(stream.dropped).toBe(1);
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0), textOf(2)]);
  });
});

describe('above its limit', () => {
  const size = textOf(0).length + 1;
  const overflow = expect.objectContaining({ code: 'overflow', message: expect.stringContaining('bytes wait') });

  test.each(['wait', 'drop-ephemeral'] as const)(
    '%s: the message that would pass it ends the stream',
    async (policy) => {
      const stream = createOutboundStream({ highWaterMarkBytes: 1, maxOutboundBytes: 2 * size, overflow: policy });
      const waiting = stream.emit(message(0));
      stream.enqueue(message(1));
      expect(() => stream.enqueue(message(2))).toThrow(overflow);
      await expect(waiting).rejects.toEqual(overflow);
      expect([stream.state, stream.count, stream.bytes]).toEqual(['completed', 0, 0]);
      expect(() => stream.enqueue(message(3))).toThrow(expect.objectContaining({ code: 'closed', cause: overflow }));
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toEqual(overflow);
    },
  );

  test('one message alone always fits', () => {
    const stream = createOutboundStream({ maxOutboundBytes: 1 });
    stream.enqueue(message(0));
    expect(stream.count).toBe(1);
  });

  test('pipeTo rejects at once, also when its transport is stuck', async () => {
    const stream = createOutboundStream({ maxOutboundBytes: size });
    const sent = vi.fn(() => new Promise<void>(() => {}));
    const piped = stream.pipeTo({ send: sent });
    stream.enqueue(message(0));
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    stream.enqueue(message(1));
    await expect(stream.emit(message(2))).rejects.toEqual(overflow);
    await expect(piped).rejects.toEqual(overflow);
  });
});
