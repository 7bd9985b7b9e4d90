import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSession } from '@proto/core';
import { createStdioTransport } from '@proto/transport-stdio';
import { createFixtures } from '../fixtures.ts';
import { CASE_SCRIPT } from '../fresh-process.ts';

/** The cost of writing to a slow reader. */
export interface Pushed {
  readonly peakBytes: number;
  readonly seconds: number;
}

const READ_MB_PER_SECOND = 100;

/** Writes so many megabytes to a process that reads slowly: `ours | forget | idle`. */
export async function run([way = '', megabytes = '']: readonly string[]): Promise<Pushed> {
  const { assistant1k } = createFixtures();
  const messages = Array.from({ length: 500 }, () => JSON.parse(assistant1k()) as { type: string });
  const reader = spawn(process.execPath, [CASE_SCRIPT, 'slow-reader', String(READ_MB_PER_SECOND)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(reader, 'close');
  const count = way === 'idle' ? 0 : Math.round((Number(megabytes) * 1e6) / JSON.stringify(messages[0]).length);
  const start = performance.now();
  const session = createSession(createStdioTransport({ input: reader.stdout, output: reader.stdin }));
  for (let index = 0; index < count; index++) {
    const message = messages[index % messages.length] as { type: string };
    if (way === 'ours') await session.emit(message);
    else reader.stdin.write(`${JSON.stringify(message)}\n`);
  }
  await session.end();
  await ended;
  return { peakBytes: process.resourceUsage().maxRSS * 1024, seconds: (performance.now() - start) / 1000 };
}
