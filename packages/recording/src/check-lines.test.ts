import { expect, test } from 'vitest';
import { checkLines, type CheckLinesOptions } from './check-lines.ts';

async function* inPieces(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function check(text: string, size: number, options: Partial<CheckLinesOptions> = {}) {
  const { findings, report } = checkLines(inPieces(text, size), { direction: 'auto', ...options });
  const found: (readonly [number, string | undefined])[] = [];
  for await (const { line, message } of findings) found.push([line, message]);
  return { found, report };
}

test.each([1, 2, 7, 100])('findings count blank lines, in pieces of %i bytes', async (size) => {
  const { found, report } = await check('one\n\r\n \nfour\r\n{"type":"keep_alive"}\nüber\n\nlast', size);
  expect(found.map(([line]) => line)).toEqual([1, 4, 6, 8]);
  expect([report.lines, report.valid]).toEqual([5, 1]);
});

test('a line that is too long is a finding with its number, and the lines after it are checked', async () => {
  const { found, report } = await check('{}\n\n{"type":"keep_alive","more":"than a few bytes"}\nx\n', 3, {
    maxLineBytes: 24,
  });
  expect(found.map(([line]) => line)).toEqual([1, 3, 4]);
  expect(found[1]).toEqual([3, 'the line has 47 bytes, but the limit is 24']);
  expect(report.valid).toBe(0);
});

const entry = (members: object) => `${JSON.stringify(members)}\n`;
const RECORDING =
  entry({ recording: 1 }) +
  entry({
    dir: 'from-host',
    line: '{"type":"user","message":{"role":"user","content":"hi"},"parent_tool_use_id":null}',
  }) +
  entry({ dir: 'from-agent', line: 'not JSON' }) +
  entry({ dir: 'from-agent', lost: 'too large' }) +
  entry({ link: 'down' }) +
  entry({ notice: 'delivery_update', data: {} }) +
  entry({ api: 1, part: 'request' }) +
  entry({ dir: 'from-host', end: true }) +
  entry({ closed: 'clean' }) +
  entry({ nothing: 1 });

test('the messages of a recording are checked, each as a message of its side', async () => {
  const { found, report } = await check(RECORDING, 10);
  expect(found.map(([line]) => line)).toEqual([3, 4, 10]);
  expect(found.slice(1).map(([, message]) => message)).toEqual([
    'a line was lost here: too large',
    'the line is not an entry of a recording',
  ]);
  expect(report.valid).toBe(1);
});

test('the messages of one side of a recording can be checked alone', async () => {
  const { found, report } = await check(RECORDING, 10, { direction: 'from-host' });
  expect(found.map(([line]) => line)).toEqual([10]);
  expect([report.lines, report.valid]).toEqual([2, 1]);
});
