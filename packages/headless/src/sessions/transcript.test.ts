import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readTranscript } from './transcript.ts';

const folder = mkdtempSync(join(tmpdir(), 'transcript-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a session file from objects and raw lines. */
function fileOf(...lines: readonly (object | string)[]): string {
  const path = join(folder, `${crypto.randomUUID()}.jsonl`);
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return path;
}

const entry = (uuid: string, parentUuid: string | null, members: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content: uuid },
  ...members,
});

async function uuidsIn(path: string): Promise<readonly string[]> {
  return (await readTranscript(path)).map(({ uuid }) => uuid);
}

describe('the conversation of a session file', () => {
  test('is the branch that ends with the last message', async () => {
    const path = fileOf(entry('a', null), entry('b', 'a'), entry('c', 'b'), entry('d', 'a'), entry('e', 'd'));
    expect(await uuidsIn(path)).toEqual(['a', 'd', 'e']);
  });

  test('survives a damaged line: the messages after it follow the message before it', async () => {
    const path = fileOf(entry('a', null), '{"type":"user","uuid":"b","par', '', '7', entry('c', 'b'), entry('d', 'c'));
    expect(await uuidsIn(path)).toEqual(['a', 'c', 'd']);
  });

  test('has every message, whatever NULs a crash has left before, between and after the entries', async () => {
    const [a, b, c, d] = [entry('a', null), entry('b', 'a'), entry('c', 'b'), entry('d', 'c')].map((one) =>
      JSON.stringify(one),
    );
    const nuls = '\0'.repeat(100_000);
    const path = fileOf(`${nuls}${a}`, `${b}${nuls}${c}\0`, `{"type":"user","uuid":"torn","par${nuls}${d}`, nuls);
    expect(await uuidsIn(path)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('contains each message once, also when the parents form a circle', async () => {
    const path = fileOf(entry('a', 'c'), entry('b', 'a'), entry('b', 'c'), entry('c', 'b'), entry('c', 'c'));
    expect(await uuidsIn(path)).toEqual(['a', 'b', 'c']);
  });

  test('may be empty', async () => {
    expect(await uuidsIn(fileOf())).toEqual([]);
    expect(await uuidsIn(fileOf({ type: 'system', uuid: 's' }))).toEqual([]);
  });

  test('is refused when the file exceeds the size limit', async () => {
    const path = fileOf(entry('a', null));
    await expect(readTranscript(path, 10)).rejects.toThrow(
      /too large to resume: it has \d+ bytes, and at most 10 are allowed/,
    );
  });
});
