/** Compiles programs that use our types with every supported compiler, and prints a table of the results. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entries, imports, install, neutral, project, scratch, write } from './packed-project.ts';

beforeAll(install, 180_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

const require = createRequire(import.meta.url);
const COMPILERS = [
  'typescript-5.6',
  'typescript-5.7',
  'typescript-5.8',
  'typescript-5.9',
  'typescript-6',
  'typescript-7',
];
/** The number of compilers that run at a time: machines that run the tests have two cores. */
const AT_ONCE = 2;
// A low priority keeps the compilers from disturbing tests that run at the same time and measure the computing time of a server.
const LOWEST_PRIORITY = 19;

/** The types of the platform that a program has. Our transports that start processes or listen need the types of Node. */
const PLATFORMS = {
  'no platform': { lib: ['ES2022'], types: [], uses: neutral },
  DOM: { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [], uses: neutral },
  Node: { lib: ['ES2022'], types: ['node'], uses: nodeEntries() },
  'DOM and Node': { lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: ['node'], uses: nodeEntries() },
};
const MODULES = {
  NodeNext: { module: 'NodeNext' },
  bundler: { module: 'ESNext', moduleResolution: 'bundler' },
};

/** A program of a host that uses messages, requests and handlers without a cast. */
const PROGRAM = `
import type { Transport } from '@proto/core/transport';
import { query } from '@proto/host';
import { runAgent } from '@proto/agent';
declare const transport: Transport;
export const host = query({
  prompt: 'hello',
  transport,
  handlers: { can_use_tool: ({ tool_name, input }) => ({ behavior: 'allow', updatedInput: { ...input, tool_name } }) },
});
export const servers = host.request('mcp_status').then(({ mcpServers }) => mcpServers.map(({ name }) => name.length));
export const plan = host.request<{ text: string }>('get_plan').then(({ text }) => text.length);
// @ts-expect-error unknown mode
export const refused = host.request('set_permission_mode', { mode: 'none' });
export async function said(): Promise<string> {
  for await (const message of host) {
    if (message.type === 'system' && message.subtype === 'init') return message.tools.join().trim();
    if (message.type === 'result') return message.subtype === 'success' ? message.result : message.errors.join();
    // @ts-expect-error what is unknown is not used as if it were known
    if (message.type === 'assistant') return message.result;
  }
  return '';
}
export const agent = runAgent(transport, {
  async *runTurn(turn) {
    const { action } = await turn.request({ subtype: 'elicitation', mcp_server_name: 'one', message: 'Which?' });
    yield { type: 'result', subtype: 'success', result: action };
  },
});
`;

function nodeEntries(): readonly string[] {
  return [...neutral, ...entries.filter((entry) => /^@proto\/(transport-.*|headless)$|\/node$/.test(entry))];
}

interface Row {
  readonly compiler: string;
  readonly platform: string;
  readonly modules: keyof typeof MODULES;
  readonly exact: boolean;
}

/**
 * Each compiler on each platform. The kind of modules alternates, so that each compiler and each platform has both kinds, and
 * `exactOptionalPropertyTypes` so that each kind of modules has both values. All combinations would take a quarter of an hour.
 */
const rows: readonly Row[] = COMPILERS.flatMap((compiler, c) =>
  Object.keys(PLATFORMS).map((platform, p) => ({
    compiler,
    platform,
    modules: (c + p) % 2 === 0 ? 'NodeNext' : 'bundler',
    exact: ((c >> 1) + p) % 2 === 0,
  })),
);

/** Writes the program of a row and its configuration. Returns the name of the configuration. */
function prepare({ platform, modules, exact }: Row, n: number): string {
  const { uses, ...has } = PLATFORMS[platform as keyof typeof PLATFORMS];
  write(`uses-${n}.ts`, imports(uses));
  write(`program-${n}.ts`, PROGRAM);
  const compilerOptions = {
    ...has,
    ...MODULES[modules],
    target: 'ES2022',
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: exact,
    noEmit: true,
  };
  write(`tsconfig.${n}.json`, JSON.stringify({ compilerOptions, files: [`uses-${n}.ts`, `program-${n}.ts`] }));
  return `tsconfig.${n}.json`;
}

/** Runs a compiler. Returns its errors, or an empty text if everything compiles. */
async function compile(compiler: string, ...args: readonly string[]): Promise<string> {
  const tsc = join(folderOf(compiler), 'bin/tsc');
  try {
    const run = promisify(execFile)(process.execPath, [tsc, ...args], { cwd: project });
    if (run.child.pid !== undefined) setPriority(run.child.pid, LOWEST_PRIORITY);
    await run;
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

/** Returns the errors of each row. */
async function complaints(compiler: string): Promise<readonly (readonly [Row, string])[]> {
  const configs = rows.flatMap((row, n) => (row.compiler === compiler ? [[row, prepare(row, n)] as const] : []));
  // A single process for all platforms reads each library only once. If there are errors, each program is compiled separately, to find out which
  // program they belong to.
  const all = await compile(compiler, '--build', '--force', ...configs.map(([, config]) => config));
  if (all === '') return configs.map(([row]) => [row, '']);
  const alone = await Promise.all(
    configs.map(async ([row, config]) => [row, await compile(compiler, '--project', config)] as const),
  );
  return alone.some(([, text]) => text !== '') ? alone : configs.map(([row]) => [row, all]);
}

function folderOf(compiler: string): string {
  return dirname(require.resolve(`${compiler}/package.json`));
}

function versionOf(compiler: string): string {
  return (JSON.parse(readFileSync(join(folderOf(compiler), 'package.json'), 'utf8')) as { version: string }).version;
}

test('the types compile with every compiler from 5.6 on, with strict and without skipLibCheck', {
  timeout: 2_400_000,
}, async () => {
  const found = new Map<Row, string>();
  const waiting = [...COMPILERS];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      for (const [row, errors] of await complaints(next)) found.set(row, errors);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(table(found));
  const failed = [...found].filter(([, text]) => text !== '');
  expect(failed.map(([row, text]) => ({ ...row, text: text.slice(0, 2000) }))).toEqual([]);
});

/** Formats a table with a row for each compiler and a column for each platform; a cell has the kind of modules and the result. */
function table(found: ReadonlyMap<Row, string>): string {
  const cell = (compiler: string, platform: string) =>
    rows
      .filter((row) => row.compiler === compiler && row.platform === platform)
      .map((row) => `${row.modules} ${resultOf(found.get(row))}`)
      .join(', ');
  const platforms = Object.keys(PLATFORMS);
  const lines = COMPILERS.map((compiler) => [
    versionOf(compiler),
    ...platforms.map((platform) => cell(compiler, platform)),
  ]);
  const head = ['TypeScript', ...platforms];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function resultOf(text = ''): string {
  return text === '' ? 'ok' : `${text.split('error TS').length - 1} errors`;
}
