/** Runs each example of each help text of `sjp`, as it is written. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examplesOf, runExample } from './run-example.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';

const SJP = join(fileURLToPath(new URL('../..', import.meta.url)), 'packages/cli/dist/main.js');
const helpOf = (words: readonly string[]) =>
  execFileSync(process.execPath, [SJP, ...words, '--help'], { encoding: 'utf8' });

interface Tree {
  readonly name: string;
  readonly commands: readonly Tree[];
}

/** All commands, as the words that select them. */
function commandsOf({ commands }: Tree, before: readonly string[] = []): (readonly string[])[] {
  return [before, ...commands.flatMap((one) => commandsOf(one, [...before, one.name]))];
}

const tree = JSON.parse(execFileSync(process.execPath, [SJP, '--help', '--json'], { encoding: 'utf8' })) as Tree;
const lines = new Set(commandsOf(tree).flatMap((words) => examplesOf(helpOf(words))));

let standIns: StandIns;
beforeAll(async () => {
  standIns = await createStandIns();
}, 60_000);
afterAll(() => standIns.close());

test('examples are found', () => {
  expect(lines.size).toBeGreaterThan(40);
});

test.each([...lines])(
  '%s',
  async (line) => {
    const { works, text } = await runExample(line, standIns.createFolder(), standIns);
    expect(works, text).toBe(true);
  },
  90_000,
);
