import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, run } from '../bins.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MESSAGE = '{"type":"keep_alive"}\n';
const FILES = {
  'utf16.jsonl': [Buffer.from(`\uFEFF${MESSAGE}`, 'utf16le'), /utf16\.jsonl is UTF-16 text, .*; write it as UTF-8, /],
  'wire.jsonl.gz': [gzipSync(MESSAGE), /wire\.jsonl\.gz is compressed with gzip; unpack it first, such as gunzip -c /],
} as const;
for (const [name, [content]] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
writeFileSync(join(folder, 'transcript.jsonl'), '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s"}\n');
writeFileSync(join(folder, 'wire.jsonl'), MESSAGE);

const COMMANDS = [
  ['validate'],
  ['explain'],
  ['convert', '--from=codex'],
  ['replay'],
  ['inspect', '--port=0'],
  ['cassette', 'play'],
  ['fake', 'agent'],
  ['run', '--input'],
];

/** The first line that a command writes about a file, without the command's name. */
async function firstLine([command = '', ...flags]: readonly string[], file: string) {
  const after = command === 'run' || command === 'cassette' ? ['--', 'none'] : [];
  const { code, stdout, stderr } = await run(MAIN, [command, ...flags, join(folder, file), ...after]);
  return { code, line: `${stdout}${stderr}`.split('\n')[0] ?? '' };
}

describe.each(COMMANDS.map((words) => [words] as const))('sjp %j', (words) => {
  test.each(Object.entries(FILES))('says of %s what it is and what to do', async (name, [, first]) => {
    const { code, line } = await firstLine(words, name);
    expect(line).toMatch(first);
    expect(code).toBe(words[0] === 'validate' ? 6 : 2);
  });
});

test.each([['inspect', '--port=0'], ['replay'], ['cassette', 'play']])(
  'sjp %s says of a transcript what it is',
  async (...words) => {
    expect((await firstLine(words, 'transcript.jsonl')).line).toMatch(
      /transcript\.jsonl is the transcript of a session/,
    );
  },
);

test('sjp cassette play says of messages that they are not a recording', async () => {
  expect((await firstLine(['cassette', 'play'], 'wire.jsonl')).line).toMatch(
    /wire\.jsonl contains messages, but is not a/,
  );
});
