import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { FOLDER, MAIN } from '../bins.test-support.ts';

/** An agent that exits with 3 at the end of its input, and with 0 if it exits on its own. */
const AGENT = `process.stdin.resume().on('end', () => process.exit(3)); setTimeout(() => process.exit(0), 1000);`;

test.each([
  ['the null device', 'ignore', 0],
  ['a pipe whose other end is closed', 'pipe', 3],
] as const)('where stdin is %s, the agent gets the end of its input only from a host', async (_, stdin, code) => {
  const words = ['inspect', '--port', '0', '--', process.execPath, '-e', AGENT];
  const env = { PATH: process.env['PATH'], SJP_HOME: FOLDER };
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: [stdin, 'ignore', 'pipe'] });
  const stderr = text(child.stderr as NodeJS.ReadableStream & AsyncIterable<Uint8Array>);
  child.stdin?.end();
  expect(await once(child, 'exit')).toEqual([code, null]);
  expect(await stderr).toMatch(/^inspector {2}http:/);
});
