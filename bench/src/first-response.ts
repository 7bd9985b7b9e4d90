import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CASE_SCRIPT } from './fresh-process.ts';
import { median, spread } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';
import { REQUEST_LINE } from './rpc/permission.ts';
import { type StreamPeerName, streamPeers } from './rpc/stream-peers.ts';

const ROUNDS = 11;
const NOISY = 0.15;
// `sjp-agent` keeps its compiled code from Node 22 on.
const COMPILED_CODE_IS_KEPT = Number.parseInt(process.versions.node, 10) >= 22;
const SJP_AGENT = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
const CHECKED_AGENT = fileURLToPath(new URL('checked-agent.mjs', import.meta.url));
const AGENT_FLAGS = ['--print', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
const INITIALIZE = '{"type":"control_request","request_id":"r1","request":{"subtype":"initialize"}}\n';
const PEERS = [
  'vscode-jsonrpc',
  '@agentclientprotocol/sdk',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
] as const;

/** C2: from the start of a process to its first answer. */
export async function firstResponse(): Promise<void> {
  const ways: Record<string, () => Promise<number>> = {
    // This program answers the first bytes that arrive, and loads no module.
    echo: () => firstLine(['--eval', ECHO]),
    'sjp-agent': () => firstLine([SJP_AGENT, ...AGENT_FLAGS]),
    'ours, full check': () => firstLine([CHECKED_AGENT], REQUEST_LINE),
  };
  for (const name of PEERS) ways[name] = () => firstAnswer(name);
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (const way of Object.values(ways)) await way();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) times.get(name)?.push(await way());
  }
  const all = (name: string) => times.get(name) as number[];
  const ratio = (name: string, other: string) =>
    median(all(name).map((time, round) => time / (all(other)[round] as number)));
  const text = (name: string) => `${median(all(name)).toFixed(0)} ms`;
  const rows = [
    ['sjp-agent', 'echo', COMPILED_CODE_IS_KEPT ? 1.8 : 2.4],
    ['ours, full check', 'echo', 2.1],
    ['sjp-agent', '@modelcontextprotocol/sdk', 0.25],
    ['sjp-agent', 'vscode-jsonrpc', undefined],
    ['sjp-agent', '@agentclientprotocol/sdk', undefined],
    ['sjp-agent', '@modelcontextprotocol/server', undefined],
  ] as const;
  for (const [ours, base, goal] of rows) {
    report({
      id: 'C2',
      case: `${ours}, compared with ${base}`,
      metric: 'ratio',
      value: ratio(ours, base),
      tol: 0.15,
      base: versionOf(base),
      atMost: true,
      noisy: [ours, base].some((name) => spread(all(name)) > NOISY),
      figures: {
        limit: text('echo'),
        ours: text(ours),
        ...(base !== 'echo' && { peer: `${versionOf(base)} ${text(base)}` }),
      },
      note: `${text(ours)} to ${text(base)}`,
      ...(goal !== undefined && { goal }),
    });
  }
}

const ECHO = `process.stdin.once('data', () => process.stdout.write('{"response":{"subtype":"success"}}\\n'))`;

/** Returns the milliseconds until a process has answered a request. */
async function firstLine(args: readonly string[], request = INITIALIZE): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  child.stdin.write(request);
  for await (const chunk of child.stdout) if (String(chunk).includes('"subtype":"success"')) break;
  const time = performance.now() - start;
  child.kill();
  if (child.exitCode === null) await once(child, 'exit');
  return time;
}

/** Returns the milliseconds until a process has answered with a library. */
async function firstAnswer(name: StreamPeerName): Promise<number> {
  const { peer } = await streamPeers[name]();
  const start = performance.now();
  const child = spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, 'rpc-server', name], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] },
  });
  const client = await peer.connect(child.stdout, child.stdin);
  await client.call();
  const time = performance.now() - start;
  await client.close();
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return time;
}
