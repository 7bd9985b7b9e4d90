import { spawn } from 'node:child_process';
import { PassThrough, Writable } from 'node:stream';
import { encodeBatch, flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

const LENGTHS = [0, 1, 1999, 2000, 2001, 1_000_000];

/** A text without repeated parts, so that lost or repeated parts are noticed. */
function textOf(length: number): string {
  const parts = Array.from({ length: Math.ceil(length / 8) }, (_, n) =>
    String(n).padStart(6, '.').replace(/^.../, '$&😀'),
  );
  return parts.join('').slice(0, length);
}

describe('a message', () => {
  verifies('OUTPUT-1', 'of any length is written in one write, in order and unchanged', async () => {
    const writes: string[] = [];
    const output = new Writable({
      decodeStrings: false,
      write(chunk: string, _, done) {
        writes.push(chunk);
        done();
      },
    });
    const transport = createStdioTransport({ input: new PassThrough(), output });
    const messages = LENGTHS.map((length) => ({ type: 'said', text: textOf(length) }));
    for (const message of messages) await transport.send(encodeBatch(message));
    await transport.close();
    expect(writes.map((text) => JSON.parse(text))).toEqual(messages);
    expect(writes.every((text) => text.endsWith('}\n'))).toBe(true);
  });

  verifies(['OUTPUT-1', 'FRM-15'], 'is not mixed with other messages on a pipe', async () => {
    // The reader reads a few bytes at a time, and may cut characters.
    const echo = spawn(process.execPath, [
      '-e',
      `process.stdin.on('readable', () => { for (let piece; (piece = process.stdin.read(997) ?? process.stdin.read()) !== null; ) process.stdout.write(piece); })`,
    ]);
    onTestFinished(() => void echo.kill());
    const transport = createStdioTransport({ input: echo.stdout, output: echo.stdin });
    const messages = LENGTHS.flatMap((length, n) => [
      { type: 'said', text: textOf(length) },
      { type: 'short', text: `${n}😀` },
    ]);
    const sent = Promise.all(messages.map((message) => transport.send(encodeBatch(message)))).then(() =>
      transport.end(),
    );
    const read: unknown[] = [];
    for await (const item of flattenIncoming(transport.incoming)) {
      read.push(item.kind === 'message' ? item.read().message : item.kind);
    }
    await sent;
    expect(read).toEqual(messages);
  });
});
