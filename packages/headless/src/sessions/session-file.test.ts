import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { verifies } from '@proto/test-support/verifies';
import { SJP_HOME } from '../run.test-support.ts';
import { createSessionFile } from './session-file.ts';

const LINE = `${JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) })}\n`;
const LINES = 30;

// Writes long lines and counts them. Like another process, a thread writes to the file independently, but it ends with the test.
const WRITER = `
  const { appendFileSync } = require('node:fs');
  const { path, line, lines, written } = require('node:worker_threads').workerData;
  while (Atomics.add(written, 0, 1) < lines) appendFileSync(path, line);
`;

function fileWith(text: string) {
  const path = join(mkdtempSync(join(SJP_HOME, 'file-')), 'session.jsonl');
  writeFileSync(path, text);
  const append = (uuid: string) => {
    const file = createSessionFile({ path, sessionId: 's', cwd: '/', exists: true, history: [] });
    file.append({ type: 'user', uuid });
    file.close();
  };
  return { path, append, text: () => readFileSync(path, 'utf8') };
}

test('an incomplete last line is kept, and the next entry starts on a new line', () => {
  const { append, text } = fileWith('{"whole":1}\n{"cu');
  append('one');
  append('two');
  const [whole, cut, one, two, ...rest] = text().split('\n');
  expect([whole, cut, rest]).toEqual(['{"whole":1}', '{"cu', ['']]);
  expect([one, two].map((line) => JSON.parse(line ?? ''))).toMatchObject([{ uuid: 'one' }, { uuid: 'two' }]);
});

verifies('AGENT-21', 'a title is a separate line, which follows the first message in a new session', () => {
  const path = join(mkdtempSync(join(SJP_HOME, 'file-')), 'session.jsonl');
  const file = createSessionFile({ path, sessionId: 's', cwd: '/', exists: false, history: [] });
  file.setTitle({ title: 'From the prompt', source: 'agent' });
  expect(existsSync(path)).toBe(false);
  file.append({ type: 'user', uuid: 'one' });
  file.setTitle({ title: 'By hand', source: 'user' });
  file.append({ type: 'user', uuid: 'two' });
  file.close();
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { uuid: 'one', parentUuid: null },
    { type: 'ai-title', aiTitle: 'From the prompt', sessionId: 's' },
    { type: 'custom-title', customTitle: 'By hand', sessionId: 's' },
    // Titles are not part of the conversation.
    { uuid: 'two', parentUuid: 'one' },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a file that other users could read is readable by this user alone after a session continues in it',
  () => {
    const { append, path } = fileWith('{"whole":1}\n');
    chmodSync(path, 0o664);
    append('one');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  },
);

test('a line that another process is still writing is not treated as incomplete', async () => {
  const { path, append } = fileWith('');
  const written = new Int32Array(new SharedArrayBuffer(4));
  const writer = new Worker(WRITER, { eval: true, workerData: { path, line: LINE, lines: LINES, written } });
  const exited = once(writer, 'exit');
  while (Atomics.load(written, 0) < LINES) append('meanwhile');
  await exited;
  expect(readFileSync(path).includes('\n\n')).toBe(false);
});
