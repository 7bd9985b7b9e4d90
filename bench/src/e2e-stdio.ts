import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { short } from './figures.ts';
import { CASE_SCRIPT } from './fresh-process.ts';
import { median, spread } from './measure.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';
import { type StreamPeerName, streamPeers } from './rpc/stream-peers.ts';

const MESSAGES = 20_000;
const ROUNDS = 7;
const NOISY = 0.15;
const GOALS: Partial<Record<StreamPeerName, number>> = {
  plain: 1.5,
  'vscode-jsonrpc': 4.5,
  '@modelcontextprotocol/sdk': 6,
  '@agentclientprotocol/sdk': 6,
};

interface Sample {
  /** Messages per second of wall time. */
  readonly rate: number;
  /** Of both processes together, in microseconds per message. */
  readonly cpu: number;
}

/** W2: 20 000 messages of 250 bytes from an agent process to a callback of the host. */
export async function e2eStdio(): Promise<void> {
  const names = (Object.keys(streamPeers) as StreamPeerName[]).filter((name) => name !== 'ours, full check');
  const senders: { readonly name: StreamPeerName; readonly sender: Sender }[] = [];
  try {
    for (const name of names) senders.push({ name, sender: await openSender(name) });
    const samples = new Map<StreamPeerName, Sample[]>(names.map((name) => [name, []]));
    for (const { sender } of senders) await sender.run();
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, sender } of senders) samples.get(name)?.push(await sender.run());
      senders.push(...senders.splice(0, 1));
    }
    reportAll(samples);
  } finally {
    for (const { sender } of senders) sender.child.kill();
  }
}

function reportAll(samples: ReadonlyMap<StreamPeerName, readonly Sample[]>): void {
  const all = (name: StreamPeerName, metric: keyof Sample) => (samples.get(name) ?? []).map((each) => each[metric]);
  const ratio = (name: StreamPeerName, other: StreamPeerName, metric: keyof Sample) => {
    const others = all(other, metric);
    return median(all(name, metric).map((value, round) => value / (others[round] as number)));
  };
  const text = (name: StreamPeerName) =>
    `${short(median(all(name, 'rate')))}/s, ${median(all(name, 'cpu')).toFixed(1)} us of CPU`;
  for (const name of samples.keys()) {
    if (name === 'ours') continue;
    const goal = GOALS[name];
    report({
      id: 'W2',
      case: `250B, to ${name}`,
      metric: 'ratio',
      value: ratio('ours', name, 'rate'),
      tol: 0.1,
      base: versionOf(name),
      noisy: ['ours', name].some((each) => spread(all(each as StreamPeerName, 'rate')) > NOISY),
      figures: {
        limit: text('raw'),
        ours: text('ours'),
        ...(name !== 'raw' && { peer: `${versionOf(name)} ${text(name)}` }),
      },
      note: `CPU of both ${(1 / ratio('ours', name, 'cpu')).toFixed(2)} x less`,
      ...(goal !== undefined && { goal }),
    });
  }
}

interface Sender {
  readonly child: ChildProcess;
  run(): Promise<Sample>;
}

/** A child process that sends when it is told. */
async function openSender(name: StreamPeerName): Promise<Sender> {
  const child = spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, 'message-sender', name], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  let received = 0;
  let onAll: () => void = () => {};
  const { peer } = await streamPeers[name]();
  // Some settle only when the stream is over.
  void peer.receive(child.stdout as Readable, child.stdin as Writable, (count) => {
    received += count;
    if (received === MESSAGES) onAll();
  });
  return {
    child,
    async run() {
      received = 0;
      const before = process.cpuUsage();
      const start = performance.now();
      const told = once(child, 'message') as Promise<[number]>;
      const all = new Promise<void>((resolve) => void (onAll = resolve));
      child.send(MESSAGES);
      await all;
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      const [agent] = await told;
      return { rate: MESSAGES / seconds, cpu: (user + system + agent) / MESSAGES };
    },
  };
}
