import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@proto/test-support/free-port';

/** A redis that writes each entry of a stream to the disk before it answers, and a reader of the stream. */
export interface RedisStream {
  /** Adds an entry, and fulfils when the reader has it. */
  pass(text: string): Promise<void>;
  close(): Promise<void>;
}

const ATTEMPTS = 250;
const BETWEEN_MS = 20;
const FLAGS = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];

/** Starts redis on a free port of this machine. Returns `undefined` if redis is not installed. */
export async function startRedisStream(): Promise<RedisStream | undefined> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--dir', folder, ...FLAGS], { stdio: 'ignore' });
  const writer = await reached(port);
  const reader = await reached(port);
  let last = idIn(await ask(writer, 'XADD', 's', '*', 'm', 'first'));
  return {
    async pass(text) {
      const seen = ask(reader, 'XREAD', 'BLOCK', '0', 'STREAMS', 's', last);
      last = idIn(await ask(writer, 'XADD', 's', '*', 'm', text));
      await seen;
    },
    async close() {
      writer.destroy();
      reader.destroy();
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Connects as soon as the server listens. */
async function reached(port: number): Promise<Socket> {
  for (let attempt = 1; ; attempt++) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket.setNoDelay(true);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(BETWEEN_MS);
    }
  }
}

/** Sends a command, and fulfils with the bytes of its answer, which is short enough to arrive at once. */
async function ask(socket: Socket, ...words: readonly string[]): Promise<string> {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  const answer = once(socket, 'data') as Promise<[Buffer]>;
  socket.write(`*${words.length}\r\n${parts.join('')}`);
  const text = (await answer)[0].toString();
  if (text.startsWith('-')) throw new Error(text);
  return text;
}

function idIn(answer: string): string {
  return answer.split('\r\n')[1] as string;
}
