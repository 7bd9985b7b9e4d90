/** The variables that stand for options: a name means one thing, whichever command reads it. */
import { expect, test } from 'vitest';
import type { CommandTree } from './command-line.ts';
import { MAIN, run } from './bins.test-support.ts';

type Option = CommandTree['options'][number] & { readonly command: string };

// What this program reads of its environment beside its options.
const OTHERS = ['SJP_HOME', 'SJP_TOKEN', 'SJP_SESSION_ID', 'SJP_SHIM_URL', 'SJP_SHIM_TOKEN_FILE'];

async function allOptions(): Promise<readonly Option[]> {
  const { stdout } = await run(MAIN, ['--help', '--json']);
  const { commands } = JSON.parse(stdout) as CommandTree;
  return commands.flatMap(({ name, options }) => options.map((option) => ({ ...option, command: name })));
}

/** What setting a variable says: of a switch that it is on, of any other option what it takes, and what for. */
function meaningOf({ flags, description, choices, default: value }: Option): string {
  const isSwitch = !/[<[]/.test(flags);
  return JSON.stringify(isSwitch ? [flags] : [flags, description, choices, value]);
}

test('an option has a variable, and one with two meanings has two', async () => {
  const options = await allOptions();
  expect(options.length).toBeGreaterThan(40);
  expect(options.filter(({ env }) => env === undefined || !/^SJP_[A-Z_]+$/.test(env))).toEqual([]);
  const byName = grouped(options);
  const collisions = [...byName].filter(([, same]) => new Set(same.map(meaningOf)).size > 1);
  expect(collisions.map(([name, same]) => `${name}: ${same.map(({ command }) => command).join(', ')}`)).toEqual([]);
  expect(options.filter(({ env }) => OTHERS.includes(env ?? '')).map(({ flags }) => flags)).toEqual([]);
});

test.each([
  [{ SJP_LISTEN: '127.0.0.1:4983' }, ['bridge', '-', 'exec:cat']],
  [{ SJP_FORMAT: 'final' }, ['connect', 'nowhere:']],
  [{ SJP_TOKEN_FILE: '/no/such/file' }, ['serve', '--listen', '127.0.0.1:0', '--store', '/no/such/folder/x.db']],
])('%j says nothing to %j', async (variables, args) => {
  const [told, untold] = await Promise.all([run(MAIN, args, '', variables as Record<string, string>), run(MAIN, args)]);
  expect(told).toEqual(untold);
});

function grouped(options: readonly Option[]): Map<string | undefined, Option[]> {
  const groups = new Map<string | undefined, Option[]>();
  for (const option of options) groups.set(option.env, [...(groups.get(option.env) ?? []), option]);
  return groups;
}
