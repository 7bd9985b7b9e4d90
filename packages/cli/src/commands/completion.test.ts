/** Tests completion in real shells: keys are typed in an interactive shell, and the resulting line is read back. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MAIN, run } from '../bins.test-support.ts';
import { SHELLS, type Shell } from '@proto/terminal/commands';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
const bin = join(folder, 'bin');
const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, TERM: 'dumb', INPUTRC: '/dev/null', PS1: '' };

beforeAll(async () => {
  mkdirSync(bin);
  for (const name of ['sjp', 'some-agent']) symlinkSync(MAIN, join(bin, name));
  for (const name of ['notes.jsonl', 'a file.jsonl']) writeFileSync(join(folder, name), '');
  for (const shell of SHELLS) {
    const { stdout, stderr, code } = await run(MAIN, ['completion', shell]);
    expect([stderr, code]).toEqual(['', 0]);
    writeFileSync(join(folder, `sjp.${shell}`), stdout);
  }
});

async function candidatesFor(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(MAIN, ['complete', '--', ...words]);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

/** The line before the tab key is pressed, and the line after it. */
const LINES = [
  ['sjp conn', 'sjp connect '],
  ['sjp connect --fo', 'sjp connect --format '],
  ['sjp connect --format nd', 'sjp connect --format ndjson '],
  ['sjp connect --format=nd', 'sjp connect --format=ndjson '],
  ['sjp connect http://127.0.0.1:1 --prefer w', 'sjp connect http://127.0.0.1:1 --prefer ws '],
  ['sjp replay no', 'sjp replay notes.jsonl '],
  ['sjp replay a', 'sjp replay a\\ file.jsonl '],
  ['sjp run --record=no', 'sjp run --record=notes.jsonl '],
  ['sjp connect --session n', 'sjp connect --session n'],
  ['sjp run hi -- some-a', 'sjp run hi -- some-agent '],
  // An unfinished line is never run, not even in part.
  ['sjp run "$(touch PWNED)" --fo', 'sjp run "$(touch PWNED)" --format '],
] as const;

/** The lines after pressing the tab key, each typed in an interactive shell. */
const typedAt: Readonly<Record<Shell, (lines: readonly string[]) => readonly string[]>> = {
  bash(lines) {
    // Bash reads keys from a pipe in the same way as from a terminal. The key ctrl-p writes the line, and clears it.
    const show = `show() { printf '%s\\n' "$READLINE_LINE" >> shown; READLINE_LINE=; }; bind -x '"\\C-p": show'\n`;
    const input = `source sjp.bash\n${show}${lines.map((line) => `${line}\t\u0010`).join('')}`;
    execFileSync('bash', ['--norc', '--noprofile', '-i'], { cwd: folder, env, input, stdio: 'pipe' });
    return shownBy('shown');
  },
  zsh(lines) {
    writeFileSync(join(folder, 'keys'), `${lines.join('\n')}\n`);
    const script = `
zmodload zsh/zpty zsh/zselect
: > zshown
zpty shell 'PS1= zsh -f -i'
zpty -w shell "autoload -U compinit; compinit -u -d compdump; source sjp.zsh; show() { print -r -- \\$BUFFER >> zshown; BUFFER= }; zle -N show; bindkey '^X^P' show; print READY >> zshown"
n=1
wait_for() { local output; while (( $(wc -l < zshown) < n )); do zpty -r -t shell output; zselect -t 2; done }
wait_for
while IFS= read -r keys; do (( n++ )); zpty -n -w shell "$keys"$'\\t\\x18\\x10'; wait_for; done < keys
exit 0
`;
    execFileSync('zsh', ['-f', '-c', script], { cwd: folder, env, stdio: 'pipe', timeout: 50_000 });
    return shownBy('zshown').slice(1);
  },
  // In fish, `complete -C` prints the candidates. When a user presses the tab key and only one candidate exists, fish also quotes it and adds a space.
  fish(lines) {
    return lines.map((line) => {
      const script = 'source sjp.fish; complete -C $argv[1]';
      const found = execFileSync('fish', ['-N', '-c', script, line], { cwd: folder, env, encoding: 'utf8' });
      const [first, ...others] = found.split('\n').filter((text) => text !== '');
      if (first === undefined || others.length > 0) return line;
      const word = (first.split('\t')[0] ?? '').replaceAll(' ', '\\ ');
      return `${line.replace(/\S*$/, '')}${word} `;
    });
  },
};

function shownBy(file: string): readonly string[] {
  return readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
}

describe.each(SHELLS)('%s', (shell) => {
  // Bash is installed on every machine that runs the tests. The output names the shells that are not installed.
  const isMissing = shell !== 'bash' && spawnSync(shell, ['--version']).error !== undefined;
  if (isMissing) console.warn(`${shell} is not installed here: its completion is not tested`);

  test.skipIf(isMissing)('completes what is typed', { timeout: 60_000 }, () => {
    const after = typedAt[shell](LINES.map(([typed]) => typed));
    expect(LINES.map(([typed], at) => [typed, after[at]])).toEqual(LINES);
    expect(existsSync(join(folder, 'PWNED'))).toBe(false);
  });
});

test('every command that the help shows is offered', async () => {
  const { stdout } = await run(MAIN, ['--help', '--json']);
  const { commands } = JSON.parse(stdout) as { commands: readonly { name: string }[] };
  const names = commands.map(({ name }) => name);
  expect(names).toContain('completion');
  expect(names).not.toContain('complete');
  expect(await candidatesFor('')).toEqual(expect.arrayContaining(names));
});

test.each([
  [['connect', '--format', 'json', '--fo'], []],
  [
    ['connect', '--no-such', '--prefer', ''],
    ['ws', 'sse'],
  ],
  [['demo', '--json', '--fa'], ['--fault']],
  [['demo', '--json=', ''], []],
  [['demo', 'connect', '--fa'], ['--fault']],
  [['help', 'conv'], ['convert']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['replay', 'one', ''], []],
  [
    ['replay', '--as', ''],
    ['agent', 'host'],
  ],
  [['run', '-', ''], []],
  [['run', 'hi', '--', ''], [':programs']],
  [['run', 'hi', '--', 'my-agent', '--fo'], [':files']],
])('after %j these are offered: %j', async (words, expected) => {
  expect(await candidatesFor(...words)).toEqual(expected);
});

test('a shell without a script is refused', async () => {
  const { stderr, code } = await run(MAIN, ['completion', 'csh']);
  expect([stderr, code]).toEqual([expect.stringContaining('Allowed choices are bash, zsh, fish'), 2]);
});
