/** Tests that the commands read the files that other commands write: taps and recordings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, prompt, run, STREAM } from './bins.test-support.ts';

const LIMIT = { timeout: 30_000 };

/** Writes a session file with a bridge or a run. */
async function written(by: 'a tap' | 'a recording'): Promise<string> {
  const file = join(FOLDER, `${by.replace(' ', '-')}.jsonl`);
  const { code } =
    by === 'a tap'
      ? await run(
          MAIN,
          ['bridge', '--tap', file, '--', AGENT, ...STREAM],
          prompt('/echo hi', { parent_tool_use_id: null }),
        )
      : await run(MAIN, ['run', '/echo hi', '--format', 'final', '--record', file]);
  expect(code).toBe(0);
  return file;
}

describe.each(['a tap', 'a recording'] as const)('%s', LIMIT, (by) => {
  test('is validated, each line as a message of the side that wrote it', async () => {
    const file = await written(by);
    const { stdout, code } = await run(MAIN, ['validate', '--json', '--stats', file]);
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { lines: number; messages: object };
    expect({ code, ...result }).toMatchObject({ code: 0, ok: true, invalid: 0, messages: { user: 1 } });
    const all = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"line"'));
    expect(result.lines).toBe(all.length);
    const ofHost = await run(MAIN, ['validate', '--json', '--direction', 'from-host', file]);
    const { lines } = JSON.parse(ofHost.stdout.trim().split('\n').at(-1) ?? '') as { lines: number };
    expect([ofHost.code, lines]).toEqual([0, all.filter((line) => line.includes('"from-host"')).length]);
  });

  test('is explained, from the prompt to the result of its turn', async () => {
    const file = await written(by);
    const { stdout, code } = await run(MAIN, ['explain', '--json', '--only', 'span:turn', file]);
    const objects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(0);
    expect(objects.map(({ type, name }) => name ?? type)).toEqual(['user', 'result/success', 'summary']);
    expect(objects[1]).toMatchObject({ ends: [{ kind: 'turn', status: 'ok', ms: expect.any(Number) }] });
    expect(objects[2]).toMatchObject({ shown: 2, invalid: 0, unmatched: 0, open: [], drift: [] });
  });

  test('can be replayed to a host', async () => {
    const file = await written(by);
    const played =
      by === 'a tap'
        ? await run(MAIN, ['replay', file], prompt('/echo hi', { parent_tool_use_id: null }))
        : await run(MAIN, ['run', '/echo hi', '--format', 'final', '--', MAIN, 'replay', file]);
    expect(played).toMatchObject({ code: 0, stdout: expect.stringContaining('hi') });
  });
});

test('an error in a recording is reported with the line number of the file', LIMIT, async () => {
  const file = join(FOLDER, 'bad.jsonl');
  const lines = [
    { recording: 1, side: 'host', redacted: false },
    { t: 0, dir: 'from-host', line: 'no json' },
    { t: 1, dir: 'from-agent', lost: 'too-large', excerpt: 'x' },
    { t: 2, odd: true },
    { t: 3, dir: 'from-agent', end: true },
    { t: 4, dir: 'from-agent', line: '{"type":"user","message":{"role":"user","content":"x"}}' },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { stdout, code } = await run(MAIN, ['validate', '--json', file]);
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(code).toBe(6);
  expect(found.filter(({ code: is }) => is === 'not_json').map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(found.at(-1)).toMatchObject({ type: 'result', lines: 4, ok: false });
});
