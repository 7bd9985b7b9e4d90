import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { entries } from './entries.ts';
import { loadedModules } from './loaded-modules.ts';
import { median, spread } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const ROUNDS = 9;
const NOISY = 0.5;
const PEERS = [
  'zod',
  'ws',
  'undici',
  'eventsource',
  'birpc',
  'vscode-jsonrpc/node',
  '@agentclientprotocol/sdk',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/client',
];

interface Start {
  readonly cpuMs: number;
  readonly megabytes: number;
}

/** C1: the cost of loading an entry, from the published files and bundled. */
export async function coldStart(): Promise<void> {
  moduleListGate();
  const programs: Record<string, string> = { bare: '' };
  for (const [name, { file }] of Object.entries(entries)) {
    programs[`${name}, files`] = pathToFileURL(file).href;
    programs[`${name}, bundled`] = await bundled(name, file);
  }
  for (const peer of PEERS) programs[peer] = import.meta.resolve(peer);
  const starts = new Map<string, Start[]>(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, url] of Object.entries(programs)) starts.get(name)?.push(start(url));
  }
  const more = (name: string, metric: keyof Start) => {
    const bare = starts.get('bare') as Start[];
    return (starts.get(name) as Start[]).map((each, round) => each[metric] - (bare[round] as Start)[metric]);
  };
  for (const name of Object.keys(programs)) {
    if (name === 'bare') continue;
    const cpu = more(name, 'cpuMs');
    const memory = median(more(name, 'megabytes'));
    const [entry = '', form] = name.split(', ');
    const { goalMs, goalMb } = (form === 'bundled' ? entries[entry] : undefined) ?? {};
    const row = { id: 'C1', tol: 0.25, base: 'an empty process', atMost: true, noisy: spread(cpu) > NOISY } as const;
    const figures =
      form === undefined
        ? {
            peer: versionOf(
              name
                .split('/')
                .slice(0, name.startsWith('@') ? 2 : 1)
                .join('/'),
            ),
          }
        : {};
    report({
      ...row,
      case: `${name}, CPU`,
      metric: 'ms',
      value: median(cpu),
      figures,
      ...(goalMs !== undefined && { goal: goalMs }),
    });
    report({
      ...row,
      case: `${name}, memory`,
      metric: 'MB',
      value: memory,
      figures,
      ...(goalMb !== undefined && { goal: goalMb }),
    });
  }
}

/** The row of C1 that does not vary: which other packages an entry loads. */
export function moduleListGate(): void {
  for (const [name, { file, loads }] of Object.entries(entries)) {
    const loaded = loadedModules(file);
    const others = loaded.filter((each) => !loads.includes(each));
    report({
      id: 'C1',
      case: `${name}, loads`,
      metric: 'modules',
      value: others.length,
      goal: 0,
      base: 'the list of what it may load',
      atMost: true,
      hard: true,
      figures: { ours: loaded.join(', ') || 'itself alone' },
      note: others.join(', '),
    });
  }
}

/** Bundles an entry into one file with all its dependencies, like a bundled program. */
async function bundled(name: string, file: string): Promise<string> {
  const outdir = fileURLToPath(new URL(`entries/${name}/`, import.meta.url));
  await build({
    stdin: {
      contents: `export * from ${JSON.stringify(file)};`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    logLevel: 'silent',
  });
  return pathToFileURL(`${outdir}stdin.mjs`).href;
}

function start(url: string): Start {
  const load = url === '' ? '' : `await import(${JSON.stringify(url)});`;
  const program = `${load}
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ cpuMs: (user + system) / 1000, megabytes: process.resourceUsage().maxRSS / 1024 }));
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout) as Start;
}
