/** Runs `pnpm drift` on packages made for the test, without a network. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folders, MADE, sdkWith, tarballOf } from './made-package.test-support.ts';

const { inventoryOf } = await import(new URL('../../scripts/drift/published-inventory.mjs', import.meta.url).href);
const { changesBetween } = await import(new URL('../../scripts/drift/compare.mjs', import.meta.url).href);
const { describeChanges } = await import(new URL('../../scripts/drift/describe-changes.mjs', import.meta.url).href);
const script = fileURLToPath(new URL('../../scripts/drift.mjs', import.meta.url));
const folders = new Folders();
afterAll(() => folders.remove());

function drift(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stdout, stderr };
}

/** An inventory of the declarations of the made package. */
function inventoryOfMade(): string {
  const file = join(folders.make(), 'inventory.json');
  writeFileSync(file, '{}');
  expect(drift(['--inventory', file, '--package', folders.packageOf(), '--write'])).toMatchObject({ status: 0 });
  return file;
}

let inventory = '';
beforeAll(() => {
  inventory = inventoryOfMade();
});

function driftOf(changed: Readonly<Record<string, string | undefined>>, ...more: readonly string[]) {
  return drift(['--inventory', inventory, '--package', folders.packageOf(changed), ...more]);
}

/** Returns what the command would print about the made package with other declarations, without starting a process. */
function summaryOf(sdk: string): string {
  const known = JSON.parse(readFileSync(inventory, 'utf8'));
  return describeChanges(
    changesBetween(known, inventoryOf(new Map(Object.entries({ ...MADE, 'sdk.d.ts': sdk })), known)),
  );
}

describe('pnpm drift finds no change', () => {
  test('in the package from which the inventory was made', () => {
    const { status, stdout } = driftOf({});
    expect(stdout).toContain('Nothing is new.');
    expect(status).toBe(0);
  });

  test('in a later version with the same declarations', () => {
    const manifest = JSON.stringify({ version: '1.0.1' });
    expect(driftOf({ 'package.json': manifest })).toMatchObject({ status: 0 });
  });

  test.each([
    ['comments', '    mode: Mode;', '    // another word\n    mode: /* here */ Mode;'],
    ['the order of members', "type: 'bye'; code: number;", 'code: number; type: "bye";'],
    ['the order of values', "'slow' | 'fast'", "| 'fast'\n  | 'slow'"],
    [
      'the syntax of a list type',
      "{ name: string; status?: 'on' | 'off'; }[]",
      "Array<{ name: string, status?: ('on' | 'off') }>",
    ],
    ['the qualification of a name', 'mode: coreTypes.Mode', 'mode: Mode'],
    [
      'a function',
      'export declare function query(options: Elsewhere): void;',
      'export declare function other(): Elsewhere;',
    ],
  ])('if only %s changed', (_, text, instead) => {
    expect(summaryOf(sdkWith(text, instead).replaceAll('\n', '\r\n'))).toBe('');
  });
});

describe('pnpm drift reports', () => {
  test.each([
    [
      'a new message',
      '= Hello | Failed;',
      "= Hello | Failed | Ping; declare type Ping = { type: 'ping'; at: number; };",
      'message ping',
      "is new: { type: 'ping'; at: number; }",
    ],
    ['a removed message', 'coreTypes.Sent | Bye', 'coreTypes.Sent', 'message bye', 'is gone'],
    [
      'a new subtype',
      "'error_a' | 'error_b'",
      "'error_a' | 'error_b' | 'error_c'",
      'message result/error_c',
      'is new: {',
    ],
    [
      'a new member',
      'code: number;',
      'code: number; reason?: string;',
      'message bye',
      'reason is new and optional: string',
    ],
    ['a removed member', 'code: number;', '', 'message bye', 'code was removed; its type was number'],
    [
      'a member whose type changed',
      'code: number;',
      'code: string;',
      'message bye',
      'code was number and is string now',
    ],
    ['a member that became nullable', 'code: number;', 'code: number | null;', 'message bye', 'code may be null now'],
    [
      'a member that is no longer nullable',
      'note: string | null;',
      'note: string;',
      'message system/hello',
      'note is no longer null',
    ],
    ['a member that became optional', 'code: number;', 'code?: number;', 'message bye', 'code is optional now'],
    [
      'a member that became required',
      'from?: Origin;',
      'from: Origin;',
      'message system/hello',
      'from is required now',
    ],
    [
      'a member of a list',
      'name: string; status',
      'name: string; size: number; status',
      'message system/hello',
      'tools[].size is new and required: number',
    ],
    [
      'a new value of an enumeration',
      "'slow' | 'fast'",
      "'slow' | 'fast' | 'auto'",
      'type Mode',
      "it may be 'auto' now",
    ],
    [
      'a removed value of an enumeration',
      "'on' | 'off'",
      "'on'",
      'message system/hello',
      "tools[].status is no longer 'off'",
    ],
    [
      'a new value in one form of a type',
      "'timer' | 'event'",
      "'timer' | 'event' | 'call'",
      'type Origin',
      "(kind 'task').of may be 'call' now",
    ],
    [
      'a new form of a type',
      "{ kind: 'person'; }",
      "{ kind: 'person'; } | { kind: 'dog'; }",
      'type Origin',
      "it may be { kind: 'dog'; } now",
    ],
    [
      'a new control request',
      '= SetModeRequest | ReadRequest;',
      "= SetModeRequest | ReadRequest | Z; declare type Z = { subtype: 'zap'; };",
      'control request zap',
      'is new',
    ],
    [
      'a member of a control request',
      'path: string;',
      'path: string; max?: number;',
      'control request read',
      'max is new and optional: number',
    ],
    [
      'a member of an answer',
      '{ size: number; }',
      '{ size: string; }',
      'answer to read',
      'more<>.size was number and is string now',
    ],
    [
      'an answer that was none',
      "subtype: 'set_mode'; mode: coreTypes.Mode; };",
      "subtype: 'set_mode'; mode: Mode; }; declare type SetModeResponse = { was: Mode; };",
      'answer to set_mode',
      'is new: { was: Mode; }',
    ],
    [
      'a new hook',
      'StopHookInput | StartHookInput;',
      "StopHookInput | StartHookInput | X; declare type X = BaseHookInput & { hook_event_name: 'X'; };",
      'input of the hook X',
      'is new',
    ],
    [
      'a member of the input of a hook',
      "'new' | 'old'",
      "'new' | 'old' | 'odd'",
      'input of the hook Start',
      "source may be 'odd' now",
    ],
    [
      'a member of the output of a hook',
      'more?: string;',
      '',
      'output of the hook Stop',
      'more was removed; its type was string',
    ],
    [
      'a type that is used for the first time',
      'code: number;',
      'code: Code; }; declare type Code = { n: number; ',
      'type Code',
      'is new: { n: number; }',
    ],
    [
      'a setting',
      'allow?: string[];',
      'allow?: string[]; deny?: string[];',
      'type Settings',
      'permissions.deny is new and optional: string[]',
    ],
  ])('%s', (_, text, instead, thing, sentence) => {
    const lines: readonly string[] = summaryOf(sdkWith(text, instead)).split('\n');
    expect(lines).toContain(thing);
    expect(lines[lines.indexOf(thing) + 1]).toContain(`  ${sentence}`);
  });

  test('a member of the output of a tool', () => {
    const { status, stdout } = driftOf({
      'sdk-tools.d.ts': (MADE['sdk-tools.d.ts'] ?? '').replace('{ id: string; }', '{ id: string; next?: number; }'),
    });
    expect(stdout).toContain('\ntype TimerOutput\n  next is new and optional: number\n');
    expect(status).toBe(1);
  });

  test.each([
    [
      'browser-sdk.d.ts',
      'created_at?: string;',
      'created_at?: string; processing_at?: string;',
      'eventOf()',
      'result.processing_at is new and optional: string',
    ],
    [
      'browser-sdk.d.ts',
      'streamUrl: string;',
      'streamUrl: string; sendUrl: string;',
      'StreamOptions',
      'sendUrl is new and required: string',
    ],
    [
      'browser-sdk.d.ts',
      'message: Message)',
      'message: Message, at?: number)',
      'eventOf()',
      'parameters.at is new and optional: number',
    ],
    ['browser-sdk.d.ts', '{ websocket: string; }', '{ websocket: URL; }', 'Options', 'it was { prompt: string; }'],
    [
      'browser-sdk.d.ts',
      'READY: boolean;',
      "READY: boolean; export type Auth = { type: 'auth'; };",
      'Auth',
      "is new: { type: 'auth'; }",
    ],
    ['bridge.d.ts', "'idle' | 'running'", "'idle' | 'running' | 'away'", 'State', "it may be 'away' now"],
    [
      'bridge.d.ts',
      'report(state: State): void;',
      'report(state: State): void; flush(): Promise<void>;',
      'Handle',
      'flush(): Promise<void>; is new',
    ],
    [
      'bridge.d.ts',
      '...more: string[]',
      '...more: number[]',
      'log()',
      'parameters.more[] was string and is number now',
    ],
    ['bridge.d.ts', 'state?: State', 'state: State', 'attach()', 'parameters.state is required now'],
  ])('a change of a client for remote sessions: %s, %s', (file, text, instead, name, sentence) => {
    const before = MADE[file] ?? '';
    expect(before.split(text)).toHaveLength(2);
    const { status, stdout } = driftOf({ [file]: before.replace(text, () => instead) });
    const lines = stdout.split('\n');
    expect(lines).toContain(`${file} ${name}`);
    expect(lines[lines.indexOf(`${file} ${name}`) + 1]).toContain(`  ${sentence}`);
    expect(status).toBe(1);
  });

  test('every change in JSON with --json', () => {
    const { status, stdout } = driftOf({ 'sdk.d.ts': sdkWith('code: number;', 'code?: string;') }, '--json');
    const changes = [
      { of: 'message bye', at: 'code', change: 'optional' },
      { of: 'message bye', at: 'code', change: 'type', before: 'number', after: 'string' },
    ];
    expect(JSON.parse(stdout)).toEqual({ known: '1.0.0', published: '1.0.0', changes });
    expect(status).toBe(1);
  });
});

describe('--write', () => {
  test('updates the inventory, and keeps the facts that no declaration has', () => {
    const file = inventoryOfMade();
    const before = JSON.parse(readFileSync(file, 'utf8'));
    before.observed = { agentVersion: '1' };
    before.messages.find(({ type }: { type: string }) => type === 'bye').direction = 'both';
    const code = ({ name }: { name: string }) => name === 'code';
    const bye = ({ type }: { type: string }) => type === 'bye';
    before.messages.find(bye).fields.find(code).note = 'counted from one';
    writeFileSync(file, JSON.stringify(before));

    const later = folders.packageOf({
      'package.json': JSON.stringify({ version: '1.1.0', claudeCodeVersion: '9.9.10' }),
      'sdk.d.ts': sdkWith('code: number;', 'code: number; reason: string;'),
    });
    expect(drift(['--inventory', file, '--package', later])).toMatchObject({ status: 1 });
    expect(drift(['--inventory', file, '--package', later, '--write'])).toMatchObject({ status: 0 });
    expect(drift(['--inventory', file, '--package', later])).toMatchObject({ status: 0 });

    const after = JSON.parse(readFileSync(file, 'utf8'));
    expect(after.generatedFrom).toMatchObject({ version: '1.1.0', claudeCodeVersion: '9.9.10' });
    expect(after.observed).toEqual({ agentVersion: '1' });
    expect(after.counts.declaredMessageFields).toBe(before.counts.declaredMessageFields + 1);
    expect(after.messages.find(bye)).toEqual({
      type: 'bye',
      direction: 'both',
      sdkTypeName: 'Bye',
      fields: [
        { name: 'type', type: "'bye'", optional: false },
        { name: 'code', type: 'number', optional: false, note: 'counted from one' },
        { name: 'reason', type: 'string', optional: false },
      ],
    });
  });

  test('names the changes that a person has to look at', () => {
    const file = inventoryOfMade();
    const sdk = sdkWith('= Hello | Failed;', "= Hello | Failed | Ping; declare type Ping = { type: 'ping'; };");
    const { stdout } = drift(['--inventory', file, '--package', folders.packageOf({ 'sdk.d.ts': sdk }), '--write']);
    expect(stdout).toContain('check the direction of each new entry');
  });
});

describe('the package', () => {
  test('may be a tarball, and none of its code runs', () => {
    const file = join(folders.make(), 'made.tgz');
    writeFileSync(file, tarballOf({ ...MADE, 'sdk.d.ts': sdkWith('code: number;', 'code: string;') }));
    const { status, stdout } = drift(['--inventory', inventory, '--package', file]);
    expect(stdout).toContain('code was number and is string now');
    expect(status).toBe(1);
  });

  test('installed for the tests matches the inventory', () => {
    const installed = fileURLToPath(new URL('../node_modules/@anthropic-ai/claude-agent-sdk', import.meta.url));
    const { status, stdout } = drift(['--package', installed]);
    expect(stdout).toContain('Nothing is new.');
    expect(status).toBe(0);
  });
});

describe('pnpm drift exits with 2 and a message', () => {
  const broken: [string, Record<string, string | undefined>, RegExp][] = [
    ['a package without declarations', { 'sdk.d.ts': undefined }, /has no sdk\.d\.ts/],
    ['a package without a client for browsers', { 'browser-sdk.d.ts': undefined }, /has no browser-sdk\.d\.ts/],
    ['a package without a bridge', { 'bridge.d.ts': undefined }, /has no bridge\.d\.ts/],
    ['a folder without a package', { 'package.json': undefined }, /has no package\.json/],
    ['a package without a version', { 'package.json': '{}' }, /names no version/],
    ['declarations with a syntax error', { 'sdk.d.ts': 'type {' }, /sdk\.d\.ts cannot be read/],
    ['declarations without messages', { 'sdk.d.ts': 'export {}' }, /declares no type StdoutMessage/],
    [
      'a message in an unknown form',
      { 'sdk.d.ts': sdkWith("= { type: 'bye'; code: number; };", "= Omit<Hello, 'a'>;") },
      /Omit/,
    ],
  ];
  test.each(broken)('for %s', (_, changed, words) => {
    const { status, stderr } = driftOf(changed);
    expect(stderr).toMatch(words);
    expect(status).toBe(2);
  });

  test.each([
    ['for an unknown option', ['--pakage', 'x'], /--pakage/],
    ['for an extra argument', ['1.0.0'], /1\.0\.0/],
    [
      'for a missing file',
      ['--package', './no-such.tgz'],
      /\.\/no-such\.tgz is neither a file, nor a folder, nor a version/,
    ],
    ['for a file that is not a tarball', ['--package', script], /cannot be read as a tarball/],
    ['for a missing inventory', ['--inventory', 'no-such.json', '--package', '.'], /no-such\.json/],
  ])('%s', (_, args, words) => {
    const { status, stderr } = drift(args);
    expect(stderr).toMatch(words);
    expect(status).toBe(2);
  });

  test('for a registry that does not answer', () => {
    const { status, stderr } = drift(['--package', '0.0.1'], { npm_config_registry: 'http://127.0.0.1:1/' });
    expect(stderr).toMatch(/npm cannot fetch .*@0\.0\.1/);
    expect(status).toBe(2);
  });
});
