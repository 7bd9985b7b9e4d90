import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { encodeBatch, connectUri, type Incoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { stdioScheme } from './stdio-scheme.ts';
import { createStdioTransport, type StdioOptions } from './stdio-transport.ts';

const ping = (n: number) => ({ type: 'ping', n });

function setUp(options: StdioOptions = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, transport: createStdioTransport({ input, output, ...options }) };
}

async function readAll(transport: Transport): Promise<Incoming[]> {
  const items: Incoming[] = [];
  for await (const batch of transport.incoming) items.push(...batch);
  return items;
}

const messagesOf = (items: readonly Incoming[]) =>
  items.map((item) => (item.kind === 'message' ? item.read().message : item.kind));

describe('reading', () => {
  test('yields each line, and also the last line without a line end', async () => {
    const { input, transport } = setUp();
    input.write('{"type":"ping","n":1}\r\n\n{"type":"pi');
    input.end('ng","n":2}');
    expect(messagesOf(await readAll(transport))).toEqual([ping(1), ping(2)]);
  });

  verifies('HOST-20', 'updates lastByteAt with each byte, also within a message', async () => {
    const { input, transport } = setUp();
    expect(transport.liveness.lastByteAt).toBeUndefined();
    input.write('{"type":"pi');
    await vi.waitFor(() => expect(transport.liveness.lastByteAt).toBeDefined());
    const { lastByteAt = Number.NaN } = transport.liveness;
    input.write('n');
    await vi.waitFor(() => expect(transport.liveness.lastByteAt).toBeGreaterThan(lastByteAt));
    input.end('g","n":1}');
    expect(messagesOf(await readAll(transport))).toEqual([ping(1)]);
  });

  verifies('FRAME-3', 'reports an over-long line in its place, and yields the next line', async () => {
    const { input, transport } = setUp({ maxLineBytes: 30 });
    input.end(`${JSON.stringify(ping(1))}\n${'x'.repeat(1000)}\n${JSON.stringify(ping(2))}\n`);
    const items = await readAll(transport);
    expect(messagesOf(items)).toEqual([ping(1), 'malformed', ping(2)]);
    expect(items[1]).toMatchObject({
      error: { code: 'too-large', message: expect.stringContaining('maxLineBytes') },
      excerpt: expect.stringMatching(/^x+$/),
    });
  });

  test('pauses the input while the consumer does not read', async () => {
    const { input, transport } = setUp({ maxIncomingBytes: 100 });
    for (let n = 0; n < 100; n++) input.write(`${JSON.stringify(ping(n))}\n`);
    input.end();
    await vi.waitFor(() => expect(input.isPaused()).toBe(true));
    expect(messagesOf(await readAll(transport))).toHaveLength(100);
  });

  test('rejects with the error of the input after the messages before it', async () => {
    const { input, transport } = setUp();
    const broken = new Error('EIO');
    input.write(`${JSON.stringify(ping(1))}\n`);
    const incoming = transport.incoming[Symbol.asyncIterator]();
    await expect(incoming.next()).resolves.toMatchObject({ done: false });
    input.destroy(broken);
    await expect(incoming.next()).rejects.toMatchObject({ code: 'lost', cause: broken });
    await expect(transport.closed).resolves.toMatchObject({ by: 'link' });
  });

  test('treats an input that closes before its end as broken', async () => {
    const { input, transport } = setUp();
    input.destroy();
    await expect(readAll(transport)).rejects.toMatchObject({ code: 'lost' });
  });

  test('notices an input that has already ended or closed', async () => {
    const ended = new PassThrough();
    ended.end();
    await finished(ended.resume(), { writable: false });
    expect(await readAll(setUp({ input: ended }).transport)).toEqual([]);
    const closed = new PassThrough().destroy();
    await once(closed, 'close');
    await expect(readAll(setUp({ input: closed }).transport)).rejects.toMatchObject({ code: 'lost' });
  });

  test('resumes an input that was paused before, for example by readline', async () => {
    const input = new PassThrough().pause();
    input.end(JSON.stringify(ping(1)));
    expect(messagesOf(await readAll(setUp({ input }).transport))).toEqual([ping(1)]);
  });
});

verifies(
  ['FRM-7', 'FRM-6'],
  'lines are found in chunks of any size, several in one chunk, and the last without a line end',
  async () => {
    const lines = [ping(1), { type: 'text', text: 'é€😀 {"}\\n' }, ping(2)];
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const { input, transport } = setUp();
      for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
      input.end();
      expect(messagesOf(await readAll(transport))).toEqual(lines);
    }
  },
);

verifies('FRM-1', 'a message is written as its JSON and a line end', async () => {
  const { output, transport } = setUp();
  await transport.send(encodeBatch(ping(1)));
  expect(String(output.read())).toBe('{"type":"ping","n":1}\n');
});

describe('writing', () => {
  test('uses one write for a batch', async () => {
    const { output, transport } = setUp();
    const write = vi.spyOn(output, 'write');
    await transport.send(encodeBatch(...Array.from({ length: 100 }, (_, n) => ping(n))));
    expect(write).toHaveBeenCalledTimes(1);
    expect(String(output.read()).split('\n')).toHaveLength(101);
  });

  test('waits until the output accepts each write, in order', async () => {
    let take = () => {};
    const output = new Writable({ highWaterMark: 10, write: (_chunk, _encoding, done) => void (take = done) });
    const { transport } = setUp({ output });
    const settled: string[] = [];
    void transport.send(encodeBatch(ping(1))).then(() => settled.push('first'));
    void transport.send(encodeBatch(ping(2))).then(() => settled.push('second'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toEqual([]);
    take();
    await vi.waitFor(() => expect(settled).toEqual(['first']));
    take();
    await vi.waitFor(() => expect(settled).toEqual(['first', 'second']));
  });

  test('flush settles when the output has accepted all writes', async () => {
    const taken: string[] = [];
    const output = new Writable({
      highWaterMark: 1_000_000,
      write(chunk, _encoding, done) {
        setImmediate(() => {
          taken.push(String(chunk));
          done();
        });
      },
    });
    const { transport } = setUp({ output });
    await transport.send(encodeBatch(ping(1)));
    await transport.flush();
    expect(taken.join('')).toBe(`${JSON.stringify(ping(1))}\n`);
  });

  test('close writes pending messages, ends the output and closes the input', async () => {
    const { input, output, transport } = setUp();
    const sent = transport.send(encodeBatch(ping(1)));
    await transport.close();
    await sent;
    expect(output.writableFinished).toBe(true);
    expect(input.destroyed).toBe(true);
    await expect(transport.closed).resolves.toEqual({ by: 'local' });
  });

  test('an output error does not delay the end', async () => {
    let fail: (error: Error) => void = () => {};
    const output = new Writable({ write: (_chunk, _encoding, done) => void (fail = done), autoDestroy: false });
    const { transport } = setUp({ output });
    await transport.send(encodeBatch(ping(1)));
    const ended = transport.end();
    await vi.waitFor(() => expect(output.writableEnded).toBe(true));
    fail(new Error('EPIPE'));
    await ended;
    await expect(transport.flush()).rejects.toMatchObject({ code: 'lost' });
    await transport.close();
    await expect(transport.closed).resolves.toMatchObject({ error: { code: 'lost' } });
  });

  test('end leaves the input open', async () => {
    const { input, output, transport } = setUp();
    await transport.end();
    expect(output.writableFinished).toBe(true);
    input.end(`${JSON.stringify(ping(1))}\n`);
    expect(messagesOf(await readAll(transport))).toEqual([ping(1)]);
    await expect(transport.closed).resolves.toMatchObject({ by: 'local' });
  });
});

describe('a child', () => {
  const child = (program: string) => spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });

  test('that has exited rejects sends, without an unhandled error', async () => {
    const { stdin, stdout } = child('');
    const transport = createStdioTransport({ input: stdout, output: stdin });
    expect(await readAll(transport)).toEqual([]);
    const send = async () => {
      for (;;) await transport.send(encodeBatch({ type: 'big', text: 'x'.repeat(100_000) }));
    };
    await expect(send()).rejects.toMatchObject({ code: 'lost' });
    await transport.close();
    await expect(transport.closed).resolves.toMatchObject({ error: { code: 'lost' } });
  });

  test('that is killed during a write rejects that write', async () => {
    const process = child('setInterval(() => {}, 1000)');
    const transport = createStdioTransport({ input: process.stdout, output: process.stdin });
    const sent = transport.send(encodeBatch({ type: 'big', text: 'x'.repeat(4_000_000) }));
    process.kill('SIGKILL');
    await expect(sent).rejects.toMatchObject({ code: 'lost' });
    transport.abort();
    await transport.closed;
  });

  test('whose input is destroyed during a write rejects that write, also where the stream reports success', async () => {
    let finish = () => {};
    const output = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, callback) => void (finish = callback),
    });
    const transport = createStdioTransport({ input: new PassThrough(), output });
    const sent = transport.send(encodeBatch(ping(1)));
    await transport.opened;
    await vi.waitFor(() => expect(output.writableLength).toBeGreaterThan(0));
    output.destroy();
    finish();
    await expect(sent).rejects.toMatchObject({ code: 'lost' });
    transport.abort();
  });

  test('that reads slowly receives everything before the output ends', async () => {
    const program = `
      let size = 0;
      process.stdin.on('data', (chunk) => {
        size += chunk.length;
        process.stdin.pause();
        setTimeout(() => process.stdin.resume(), 2);
      });
      process.stdin.on('end', () => console.log(JSON.stringify({ type: 'size', size })));`;
    const { stdin, stdout } = child(program);
    const transport = createStdioTransport({ input: stdout, output: stdin });
    const batch = encodeBatch({ type: 'big', text: 'x'.repeat(8 * 1024 * 1024) });
    await transport.send(batch);
    await transport.end();
    expect(messagesOf(await readAll(transport))).toEqual([{ type: 'size', size: batch.text.length }]);
  });
});

test('the stdio scheme creates a stdio transport', async () => {
  const input = new PassThrough();
  const transport = connectUri('-', [stdioScheme], { input, output: new PassThrough() });
  expect(transport.name).toBe('stdio');
  await transport.close();
});
