import { verifies } from '@proto/test-support/verifies';
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

/** The texts that a reader gets until its stream ends. */
async function drain(reader: AsyncIterator<Outgoing>): Promise<string[]> {
  const texts: string[] = [];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) texts.push(next.value.text);
  return texts;
}

/** A transport that records its batches, and holds each `send` until `release`. */
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

describe('an outbound stream read by for await', () => {
  verifies('QUEUE-2', 'yields the enqueued messages in order', async () => {
    const stream = streamWith(3);
    stream.end();
    const texts: string[] = [];
    for await (const { text } of stream) texts.push(text);
    expect(texts).toEqual([textOf(0), textOf(1), textOf(2)]);
  });

  verifies('QUEUE-3', 'can be iterated once, by for await or by pipeTo', async () => {
    const stream = streamWith(0);
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow(new TypeError('Stream can only be iterated once'));
    await expect(stream.pipeTo(heldTransport())).rejects.toThrow('Stream can only be iterated once');
  });

  verifies('QUEUE-4', 'holds enqueued messages until a reader starts, and returns the oldest at once', async () => {
    const stream = streamWith(2);
    expect(stream.count).toBe(2);
    const reader = stream[Symbol.asyncIterator]();
    await expect(reader.next()).resolves.toMatchObject({ done: false, value: { text: textOf(0) } });
    expect(stream.count).toBe(1);
  });

  verifies('QUEUE-5', 'resolves a pending next with the next enqueued message and queues nothing', async () => {
    const stream = createOutboundStream();
    const waiting = stream[Symbol.asyncIterator]().next();
    stream.enqueue(message(7), { id: 'seven', ephemeral: true });
    expect(stream.count).toBe(0);
    expect(stream.bytes).toBe(0);
    await expect(waiting).resolves.toEqual({ done: false, value: { text: textOf(7), id: 'seven', ephemeral: true } });
  });

  verifies('QUEUE-6', 'ends a pending reader at its end, after the queued messages', async () => {
    const idle = createOutboundStream();
    const waiting = idle[Symbol.asyncIterator]().next();
    idle.end();
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });

    const stream = streamWith(2);
    stream.end();
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0), textOf(1)]);
  });

  verifies('QUEUE-6', 'returns done for each next after the end', async () => {
    const stream = streamWith(0);
    stream.end();
    const reader = stream[Symbol.asyncIterator]();
    await expect(reader.next()).resolves.toEqual({ done: true, value: undefined });
    await expect(reader.next()).resolves.toEqual({ done: true, value: undefined });
  });

  verifies('QUEUE-7', 'throws its error after the queued messages, each time, and never after end', async () => {
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

  verifies('QUEUE-8', 'ends when the loop is left, runs the cleanup once and drops the queued messages', async () => {
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

  verifies('QUEUE-9', 'has a state for each step', async () => {
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

  verifies('QUEUE-11', 'refuses messages after the end with a code', async () => {
    const stream = streamWith(1);
    stream.end();
    expect(() => stream.enqueue(message(2))).toThrow(expect.objectContaining({ code: 'closed' }));
    await expect(stream.emit(message(2))).rejects.toMatchObject({ code: 'closed' });
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0)]);
  });

  verifies(
    'QUEUE-12',
    'settles a pending next on return; an error without a reader does not cause an unhandled rejection',
    async () => {
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
      // The test run fails on any unhandled rejection; wait so that it can occur.
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  );

  verifies('QUEUE-13', 'settles several pending next calls in call order', async () => {
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

describe('a queued message', () => {
  test('is the text at the time of the call: later changes of the object have no effect', async () => {
    const stream = createOutboundStream();
    const mutable = { type: 'test', n: 1 };
    stream.enqueue(mutable);
    mutable.n = 2;
    stream.end();
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(1)]);
  });

  test('is unaffected by a message that JSON cannot express', async () => {
    const stream = streamWith(1);
    expect(() => stream.enqueue({ type: 'test', n: 1n })).toThrow(TypeError);
    expect(stream.count).toBe(1);
  });

  verifies('FRM-9', 'never contains a literal line separator, whether it is read or piped', async () => {
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

  test('is stored in a block of about 64 KB, and a longer message in its own block', async () => {
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

test('many messages that wait keep their text and order, whether they are read or piped', async () => {
  const messages = Array.from({ length: 4000 }, (_, n) => ({
    type: 'test',
    n,
    text: `\uFEFFé漢😀\ud800${'x'.repeat(500)}`,
  }));
  const texts = messages.map((each) => JSON.stringify(each));
  for (const drained of ['read', 'piped']) {
    const stream = createOutboundStream();
    for (const each of messages) stream.enqueue(each);
    expect(stream.bytes).toBe(texts.reduce((sum, { length }) => sum + length + 1, 0));
    stream.end();
    let whole = '';
    if (drained === 'piped') await stream.pipeTo({ send: async (batch) => void (whole += batch.text) });
    else for await (const { text } of stream) whole += `${text}\n`;
    expect(whole === `${texts.join('\n')}\n`).toBe(true);
    expect(stream.bytes).toBe(0);
  }
});

describe('pipeTo', () => {
  test.each([10, 100_000])(
    'a transport that throws fails the pipe, but not the caller of enqueue: %i characters',
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

  test('sends the messages of one tick as one batch, and the next batch after that has settled', async () => {
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

  test('passes ids and the ephemeral flag on', async () => {
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

  test('rejects when sending fails, and so does a pending emit', async () => {
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

  test('rejects with the error of the stream, after the queued messages were sent', async () => {
    const stream = streamWith(2);
    const broken = new Error('broken');
    stream.fail(broken);
    const sent: number[] = [];
    await expect(stream.pipeTo({ send: async ({ count }) => void sent.push(count) })).rejects.toBe(broken);
    expect(sent).toEqual([2]);
  });

  test('keeps the order of the calls under any schedule', () => holdsForAny(outboundPiped, 300), 30_000);
});

test('each reader gets its message under any schedule', () => holdsForAny(outboundRead, 1000), 30_000);

describe('an outbound stream above its high-water mark', () => {
  const size = textOf(0).length + 1;

  test('wait: emit stays pending until less than the mark is queued', async () => {
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

  test('wait: with a mark of 0 emit stays pending until the queue is empty', async () => {
    const stream = createOutboundStream({ highWaterMarkBytes: 0 });
    const reader = stream[Symbol.asyncIterator]();
    const first = reader.next();
    await stream.emit(message(0));
    await first;
    const waiting = stream.emit(message(1));
    await reader.next();
    await expect(waiting).resolves.toBeUndefined();
  });

  test('fail: enqueue throws and queues nothing, but a single message always fits', () => {
    const stream = createOutboundStream({ highWaterMarkBytes: size, overflow: 'fail' });
    stream.enqueue({ type: 'test', text: 'x'.repeat(10 * size) });
    expect(() => stream.enqueue(message(1))).toThrow(expect.objectContaining({ code: 'overflow' }));
    expect(stream.count).toBe(1);
  });

  test('drop-ephemeral: ephemeral messages are dropped and counted, others are queued', async () => {
    const stream = createOutboundStream({ highWaterMarkBytes: size, overflow: 'drop-ephemeral' });
    stream.enqueue(message(0));
    stream.enqueue(message(1), { ephemeral: true });
    stream.enqueue(message(2));
    stream.end();
    expect(stream.dropped).toBe(1);
    expect(await drain(stream[Symbol.asyncIterator]())).toEqual([textOf(0), textOf(2)]);
  });
});

describe('an outbound stream above its byte limit', () => {
  const size = textOf(0).length + 1;
  const overflow = expect.objectContaining({ code: 'overflow', message: expect.stringContaining('bytes are waiting') });

  test.each(['wait', 'drop-ephemeral'] as const)(
    '%s: the message that would exceed the limit ends the stream',
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

  test('a single message always fits', () => {
    const stream = createOutboundStream({ maxOutboundBytes: 1 });
    stream.enqueue(message(0));
    expect(stream.count).toBe(1);
  });

  test('pipeTo rejects at once, even if its transport is stuck', async () => {
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
