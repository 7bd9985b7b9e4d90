import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

import { COMPILE_AFTER, hotCheck } from './hot-check.ts';
import { parseMessage } from './parse-message.ts';
import { lazy, object, openUnion, optional } from './schema.ts';

describe('a check that is used much', () => {
  test('builds its schema at the first value', () => {
    let built = 0;
    const check = hotCheck(
      lazy(() => {
        built++;
        return object({ type: z.literal('a') });
      }),
    );
    expect(built).toBe(0);
    for (let round = 0; round < COMPILE_AFTER * 2; round++) expect(check({ type: 'a' })).toBe(true);
    expect(built).toBe(1);
  });

  test('asks for the schema no more once it is compiled, and says the same', () => {
    let asked = 0;
    const schema = object({
      type: z.literal('a'),
      block: openUnion('kind', [object({ kind: z.literal('b'), text: optional(z.string()) })]),
    });
    const check = hotCheck(() => {
      asked++;
      return schema;
    });
    const values = [
      [{ type: 'a', block: { kind: 'b', text: 5 } }, false],
      [{ type: 'a', block: { kind: 'b' } }, true],
      [{ type: 'a', block: { kind: 'c', text: 5 } }, true],
      [{ type: 'a', block: {} }, false],
      [{}, false],
    ] as const;
    for (let round = 0; round < COMPILE_AFTER; round++) {
      for (const [value, verdict] of values) expect(check(value)).toBe(verdict);
    }
    expect(asked).toBe(COMPILE_AFTER);
  });
});

test('works where code may not be made at run time', () => {
  const entry = fileURLToPath(new URL('index.ts', import.meta.url));
  const program = `
    import { parseMessage } from ${JSON.stringify(entry)};
    const kinds = new Set();
    for (let i = 0; i < ${COMPILE_AFTER + 5}; i++) {
      const issue = { path: ['startup_mark'], message: 'expected string' };
      const parsed = parseMessage({ type: 'keep_alive', startup_mark: i }, { direction: 'from-host', mode: 'strict' });
      kinds.add(parsed.kind + parsed.issues?.[0].path + parseMessage({ type: 'keep_alive' }, { direction: 'from-host' }).kind);
    }
    console.log([...kinds].join());`;
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module'], {
    input: code,
  });
  expect(output.toString().trim()).toBe('invalidstartup_markknown');
});

test('the same message is judged alike before and after compiling', () => {
  const message = { type: 'user', message: { role: 'user', content: [{ type: 'text' }] }, parent_tool_use_id: null };
  const first = parseMessage(message, { direction: 'from-host' });
  for (let round = 0; round < COMPILE_AFTER * 2; round++) {
    expect(parseMessage(message, { direction: 'from-host' })).toEqual(first);
  }
});
