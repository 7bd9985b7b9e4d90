import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAgentModule, takeModuleFlag } from '@proto/reference-agent/program';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, messagesIn, prompt, run, STREAM } from './bins.test-support.ts';

let files = 0;
/** Writes a module with this text, and returns its path. */
function moduleOf(text: string): string {
  const path = join(FOLDER, `agent-${files++}.mjs`);
  writeFileSync(path, text);
  return path;
}

const answering = (text: string) => `async function* (turn) {
  const content = [{ type: 'text', text: ${text} }];
  yield { type: 'assistant', message: { id: 'm', role: 'assistant', content }, parent_tool_use_id: null };
}`;

describe('an agent module', () => {
  test.each([
    ['as default', `export default ${answering("'mine: ' + turn.prompt")}`],
    ['as runTurn', `export const runTurn = ${answering("'mine: ' + turn.prompt")}`],
  ])('exported %s runs with both forms of the flag and from both bins', async (_, text) => {
    const path = moduleOf(text);
    const runs = await Promise.all([
      run(AGENT, ['--module', path, ...STREAM], prompt('hi')),
      // Some hosts pass further arguments after their usual arguments.
      run(AGENT, [...STREAM, `--module=${path}`], prompt('hi')),
      run(MAIN, ['agent', ...STREAM, '--module', path], prompt('hi')),
    ]);
    for (const { stdout, stderr, code } of runs) {
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(messagesIn(stdout).at(-1)).toMatchObject({ type: 'result', result: 'mine: hi' });
    }
  });

  verifies(
    'PROGRAM-16',
    'receives the command line options, and its `reads` list changes --explain-flags',
    async () => {
      const path = moduleOf(
        `export const reads = ['maxTurns']; export default ${answering('JSON.stringify(turn.options)')}`,
      );
      const { stdout } = await run(AGENT, ['--module', path, '-p', 'x', '--max-turns=3', '--fallback-model', 'a,b']);
      expect(JSON.parse(stdout)).toMatchObject({ maxTurns: 3, fallbackModel: ['a', 'b'], prompt: 'x' });
      const [own, reference] = await Promise.all([
        run(AGENT, ['--module', path, '--explain-flags']),
        run(AGENT, ['--explain-flags']),
      ]);
      expect(own.stdout).not.toContain('--max-turns');
      expect(reference.stdout).toContain('--fallback-model');
    },
  );

  verifies(['OUTPUT-3', 'FRM-17'], 'cannot write to stdout: console and stdout output goes to stderr', async () => {
    const noise = `console.log('noise'); process.stdout.write('noise\\n');`;
    const path = moduleOf(`${noise} export default async function* (turn) { ${noise} yield* answer(turn); }
      const answer = ${answering("'hi'")};`);
    const { stdout, stderr, code } = await run(AGENT, ['--module', path, '-p', 'x']);
    expect({ stdout, code }).toEqual({ stdout: 'hi\n', code: 0 });
    expect(stderr).toBe('noise\n'.repeat(4));
  });

  test.each([
    ['no file', [join(FOLDER, 'nowhere.mjs')], /^Error: cannot load .*nowhere\.mjs: no such file\n$/],
    ['no path', [''], /^Error: option '--module <file>' argument missing\n$/],
    ['no function', [moduleOf('export const runTurn = 7')], /is not an agent: it must export a function/],
    [
      'a bad module',
      [moduleOf('export default {{')],
      /^Error: cannot load .*: not a JavaScript module: Unexpected token/,
    ],
    ['a module that throws', [moduleOf("throw new Error('no\\nkey')")], /^Error: cannot load .*: no key\n$/],
  ])('is refused in one line, before any frame: %s', async (_, words, problem) => {
    const { stdout, stderr, code } = await run(AGENT, [...STREAM, '--module', ...words], prompt('x'));
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('--module is removed from the command line at any place before `--`', () => {
  expect(takeModuleFlag(['-p', '--module', 'a', 'x'])).toEqual({ file: 'a', rest: ['-p', 'x'] });
  expect(takeModuleFlag(['--module=a', '--module=b'])).toEqual({ file: 'b', rest: [] });
  expect(takeModuleFlag(['-p', '--', '--module', 'a'])).toEqual({ rest: ['-p', '--', '--module', 'a'] });
  expect(() => takeModuleFlag(['--module'])).toThrow('argument missing');
});

test('a relative module path is resolved against the working directory', async () => {
  await expect(loadAgentModule('nowhere.mjs')).rejects.toThrow(join(process.cwd(), 'nowhere.mjs'));
});
