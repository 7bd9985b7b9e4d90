/** Tests of the environment variables for options: a name must have the same meaning in all commands. */
import { expect, test } from 'vitest';
import type { CommandTree } from '@proto/terminal/commands';
import { MAIN, run } from './bins.test-support.ts';

type Option = CommandTree['options'][number] & { readonly command: string };

// Environment variables that are not options.
const OTHERS = ['SJP_HOME', 'SJP_TOKEN', 'SJP_SESSION_ID', 'SJP_SHIM_URL', 'SJP_SHIM_TOKEN_FILE'];

async function allOptions(): Promise<readonly Option[]> {
  const { stdout } = await run(MAIN, ['--help', '--json']);
  return optionsOf(JSON.parse(stdout) as CommandTree);
}

/** Returns the options of all subcommands of a command, at any depth. */
function optionsOf({ commands }: CommandTree): Option[] {
  return commands.flatMap((command) => [
    ...command.options.map((option) => ({ ...option, command: command.name })),
    ...optionsOf(command),
  ]);
}

/** The meaning of a variable: for a switch, its flag; otherwise also its description, choices and default. */
function meaningOf({ flags, description, choices, default: value }: Option): string {
  const isSwitch = !/[<[]/.test(flags);
  return JSON.stringify(isSwitch ? [flags] : [flags, description, choices, value]);
}

test('every option has a variable, and a variable never stands for options with different meanings', async () => {
  const options = await allOptions();
  expect(options.length).toBeGreaterThan(40);
  expect(options.filter(({ env }) => env === undefined || !/^SJP_[A-Z_]+$/.test(env))).toEqual([]);
  const byName = grouped(options);
  const collisions = [...byName].filter(([, same]) => new Set(same.map(meaningOf)).size > 1);
  expect(collisions.map(([name, same]) => `${name}: ${same.map(({ command }) => command).join(', ')}`)).toEqual([]);
  // `shim install` writes values into a shim. A shim can also read these values from its environment.
  const others = options.filter(({ env, command }) => OTHERS.includes(env ?? '') && command !== 'install');
  expect(others.map(({ flags }) => flags)).toEqual([]);
});

test.each([
  [{ SJP_LISTEN: '127.0.0.1:4983' }, ['bridge', '-', 'exec:cat']],
  [{ SJP_FORMAT: 'final' }, ['connect', 'nowhere:']],
  [{ SJP_TOKEN_FILE: '/no/such/file' }, ['serve', '--listen', '127.0.0.1:0', '--store', '/no/such/folder/x.db']],
])('%j has no effect on %j', async (variables, args) => {
  const [withVariables, without] = await Promise.all([
    run(MAIN, args, '', variables as Record<string, string>),
    run(MAIN, args),
  ]);
  expect(withVariables).toEqual(without);
});

function grouped(options: readonly Option[]): Map<string | undefined, Option[]> {
  const groups = new Map<string | undefined, Option[]>();
  for (const option of options) groups.set(option.env, [...(groups.get(option.env) ?? []), option]);
  return groups;
}
