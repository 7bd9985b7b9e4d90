/**
 * Compares the commands of `cli` with their table in docs/architecture.md: each command is a declaration and a call of another package, and `cli` stays
 * small, so that what a command does is also there for programs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'packages/cli/src');
const MAX_LINES = 2500;

/** What commands share: texts, signals and exit codes, lines of JSON, the state folder, and the token of a client. */
const SUPPORT: readonly string[] = [
  '@proto/core/framing',
  '@proto/headless',
  '@proto/remote',
  '@proto/remote/node',
  '@proto/terminal/errors',
  '@proto/terminal/process',
  '@proto/terminal/reports',
];

interface Row {
  readonly calls: readonly string[];
  readonly names: readonly string[];
  readonly entries: readonly string[];
}

const codeIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

/** The rows of the table, by the name of the command. */
const rows = new Map(
  Array.from(
    readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^\| `sjp ([a-z]+)` \| (.+?) \|(.*)\|$/gm),
    ([, name = '', call = '', given = '']): [string, Row] => {
      const words = [...codeIn(call), ...codeIn(given)];
      return [
        name,
        {
          calls: codeIn(call).filter((word) => !word.startsWith('@')),
          names: words.filter((word) => !word.startsWith('@')),
          entries: words.filter((word) => word.startsWith('@')),
        },
      ];
    },
  ),
);

const files = readdirSync(join(sources, 'commands')).filter((file) => !file.includes('.test'));

/** The text of a file of `cli`, and of the files of `cli` that it imports. */
function textOf(file: string, seen = new Map<string, string>()): string {
  if (!seen.has(file)) {
    const text = readFileSync(file, 'utf8');
    seen.set(file, text);
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g))
      textOf(join(dirname(file), path), seen);
  }
  return [...seen.values()].join('\n');
}

/** The entries of packages from which a text takes more than types. */
function entriesIn(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export) (?!type\b)([^;]*?) from '(@proto\/[^']+)';/gms);
  const values = Array.from(statements, ([, names = '', entry = '']) => {
    const isOnlyTypes = names.startsWith('{') && names.replaceAll(/[{}]|\btype \w+( as \w+)?\s*,?/g, '').trim() === '';
    return isOnlyTypes ? [] : [entry];
  });
  // `typeof import(…)` is a type, and so is a member of a module.
  const loads = text.matchAll(/(?<!typeof |: |<)\bimport\('(@proto\/[^']+)'\)(?!\.[A-Z])/g);
  return [...new Set([...values.flat(), ...Array.from(loads, ([, entry = '']) => entry)])].sort();
}

test('docs/architecture.md has a row for each command', () => {
  expect([...rows.keys()].sort()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).sort());
});

test.each([...rows])('sjp %s makes the call of its row, and nothing else of a package', (name, { names, entries }) => {
  const text = textOf(join(sources, 'commands', `${name}.ts`));
  const taken = entriesIn(text);
  expect(taken.filter((entry) => !SUPPORT.includes(entry))).toEqual(
    [...new Set(entries)].filter((entry) => !SUPPORT.includes(entry)).sort(),
  );
  expect(taken).toEqual(expect.arrayContaining([...entries]));
  expect(names.filter((call) => !new RegExp(`\\b${call}\\b`).test(text))).toEqual([]);
});

test('a command without subcommands makes one call', () => {
  const single = [...rows].filter(([name]) => {
    const text = readFileSync(join(sources, 'commands', `${name}.ts`), 'utf8');
    return text.match(/\.command\(/g)?.length === 1;
  });
  expect(single.length).toBeGreaterThan(10);
  expect(single.filter(([, { calls }]) => calls.length !== 1)).toEqual([]);
});

test('an import of a type is not a call, and an import that is loaded later is one', () => {
  const text = [
    "import { type A, type B } from '@proto/a';",
    "import type { C } from '@proto/b';",
    "type D = typeof import('@proto/c');",
    "const { e } = await import('@proto/d');",
    "import { type F, g } from '@proto/e';",
  ].join('\n');
  expect(entriesIn(text)).toEqual(['@proto/d', '@proto/e']);
});

test(`the sources of cli have at most ${MAX_LINES} lines, tests left out`, () => {
  const own = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((path) => join(sources, path))
    .filter((path) => path.endsWith('.ts') && !/\.test|test-support/.test(relative(sources, path)) && existsSync(path));
  const lines = own.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
  expect(lines).toBeLessThanOrEqual(MAX_LINES);
});
