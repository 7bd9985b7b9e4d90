/**
 * Checks that the commands in the documents can be run: the commands and options of `sjp`, the scripts of npm and pnpm, and files that Node runs. And
 * that commands of two words which texts of our programs name, such as `sjp sessions ls`, exist.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';
import { blocksOf, documents, proseOf, ROOT } from './documents.ts';

const bin = (name: string) => join(ROOT, `packages/cli/dist/${name}.js`);
const read = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' });

interface Command {
  readonly name: string;
  readonly options: readonly { readonly flags: string }[];
  readonly commands: readonly Command[];
}

const tree = JSON.parse(read(bin('main'), '--help', '--json')) as Command;
const flagsIn = (text: string) => Array.from(text.matchAll(/--[a-z][\w-]*|(?<=[\s,])-[a-zA-Z]\b/g), ([flag]) => flag);
const ofAgents = new Set(flagsIn(read(bin('agent'), '--help')));
// The flags of an agent hide the help of these commands, so their flags are read from the source.
const ofInstallations = flagsIn(readFileSync(join(ROOT, 'packages/cli/src/commands/shim.ts'), 'utf8'));
const always = ['-h', '--help', '--json', '-v', '--version'];
const known = new Map<string, ReadonlySet<string>>([
  ['sjp-agent', ofAgents],
  ['sjp-shim', ofAgents],
  ['sjp', new Set(always)],
  ...tree.commands.map((one): [string, ReadonlySet<string>] => {
    const takesFlagsOfAgents = one.name === 'agent' || one.name === 'shim';
    return [`sjp ${one.name}`, takesFlagsOfAgents ? new Set([...ofAgents, ...ofInstallations]) : flagsOf(one)];
  }),
  ...tree.commands.flatMap((one) =>
    one.commands.map((inner) => [`sjp ${one.name} ${inner.name}`, flagsOf(inner)] as const),
  ),
]);

function flagsOf({ options }: Command): ReadonlySet<string> {
  return new Set([...options.flatMap((option) => flagsIn(` ${option.flags}`)), ...always]);
}

/** The commands that a document shows: the lines after a `$` prompt, and the code in its sentences. */
function commandsOf(text: string): string[] {
  const lines = blocksOf(text)
    .filter(({ language }) => language === 'console')
    .flatMap(({ code }) => Array.from(code.matchAll(/^\$ (.*)$/gm), ([, line = '']) => line));
  const inline = Array.from(proseOf(text).matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  return [...lines, ...inline.filter((code) => /^(?:sjp(?:-agent|-shim)? |npm |pnpm |node scripts)/.test(code))];
}

/** The words of each program of a command line, without quotes. The words after `--` are another command line. */
function programsOf(line: string): string[][] {
  const words = line.replace(/\s+#\s.*$/, '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const programs: string[][] = [[]];
  for (const word of words) {
    const isCut = ['|', '&&', '--', ';', '>'].includes(word);
    if (isCut) programs.push([]);
    // An environment variable before a program, and the prompt of a shell.
    else if (!/^[A-Z_]+=/.test(word) || programs.at(-1)?.length !== 0)
      programs.at(-1)?.push(word.replaceAll(/^["']|["']$/g, ''));
  }
  return programs.filter((program) => program.length > 0);
}

/** Returns what is wrong with the words of one program, or undefined. */
function problemOf([program = '', ...words]: readonly string[]): string | undefined {
  if (!program.startsWith('sjp') || !['sjp', 'sjp-agent', 'sjp-shim'].includes(program)) return undefined;
  const [first = '', second = ''] = words;
  // A name in capitals or `…` stands for any command, and `sjp run:` begins a text of `sjp run`.
  if (program === 'sjp' && /^(?:[A-Z…]|help$|.*:$|$)/.test(first)) return undefined;
  const isCommand = program === 'sjp' && !first.startsWith('-');
  const inner = `sjp ${first} ${second}`;
  const outer = isCommand ? `sjp ${first}` : program;
  const name = known.has(inner) ? inner : outer;
  const flags = known.get(name);
  if (flags === undefined) return `unknown command ${first}`;
  const used = words.filter((word) => /^--?[a-zA-Z]/.test(word)).map((word) => word.replace(/=.*$/, ''));
  const unknown = used.filter((flag) => !flags.has(flag));
  return unknown.length === 0 ? undefined : `${name} has no ${unknown.join(', ')}`;
}

describe('the commands of sjp', () => {
  test('are found', () => {
    expect(tree.commands.length).toBeGreaterThan(8);
    expect(ofAgents.size).toBeGreaterThan(20);
    expect(
      documents.flatMap(({ text }) => commandsOf(text)).filter((line) => /\bsjp /.test(line)).length,
    ).toBeGreaterThan(30);
  });

  test('a command and an option that do not exist are refused', () => {
    const line = 'A=1 sjp fly "to the moon" -- x | sjp run --fast | sjp conformance host --adapter --wings';
    expect(programsOf(line).map(problemOf)).toEqual([
      'unknown command fly',
      undefined,
      'sjp run has no --fast',
      'sjp conformance host has no --wings',
    ]);
  });

  // A changelog also names commands that a version has removed.
  test.each(documents.filter(({ name }) => !name.endsWith('CHANGELOG.md')))(
    'of $name exist, with their options',
    ({ text }) => {
      const problems = commandsOf(text).flatMap((line) =>
        programsOf(line).flatMap((words) => {
          const problem = problemOf(words);
          return problem === undefined ? [] : [`${line}: ${problem}`];
        }),
      );
      expect(problems).toEqual([]);
    },
  );
});

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const OF_NPM = new Set(['start', 'test', 'install', 'i', 'run', 'publish', 'pack', 'exec', 'login', 'help', 'view']);
const OF_PNPM = new Set(['install', 'exec', 'add', 'changeset', 'run']);

describe('the scripts of npm and pnpm', () => {
  test.each(documents)('that $name names exist', ({ text }) => {
    const missing = commandsOf(text).flatMap((line) =>
      programsOf(line).flatMap(([program, first = '', second = '']) => {
        if (program === 'npm' && first === 'run' && second !== '') return second in scripts ? [] : [line];
        if (program === 'npm') return OF_NPM.has(first) || first.startsWith('-') ? [] : [line];
        if (program === 'pnpm')
          return OF_PNPM.has(first) || first in scripts || first.startsWith('-') || /^[A-Z]/.test(first) ? [] : [line];
        if (program === 'node' && first.startsWith('scripts/')) return existsSync(join(ROOT, first)) ? [] : [line];
        return [];
      }),
    );
    expect(missing).toEqual([]);
  });
});

/** The sources of a package, without tests. */
function sourcesOf(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)(?<!\.test-support)\.tsx?$/.test(name))
    .map((name) => ({ name: join(folder, 'src', name), text: readFileSync(join(ROOT, folder, 'src', name), 'utf8') }));
}

test('commands of two words that sources and documents name exist', () => {
  const sources = packageFolders().flatMap((folder) => sourcesOf(folder));
  expect(sources.length).toBeGreaterThan(500);
  const inner = new Map(tree.commands.map(({ name, commands }) => [name, commands.map((one) => one.name)]));
  expect(inner.get('sessions')).toContain('ls');
  const unknown = [...sources, ...documents].flatMap(({ name, text }) =>
    Array.from(text.matchAll(/\bsjp ([a-z]+) ([a-z]+)/g))
      .filter(([, group = '', word = '']) => (inner.get(group)?.length ?? 0) > 0 && !inner.get(group)?.includes(word))
      .map(([named]) => `${name}: ${named}`),
  );
  expect(unknown).toEqual([]);
});
