import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { createSession } from '@proto/core';
import { createStdioTransport } from '@proto/transport-stdio';
import { figuresOf } from './figures.ts';
import { CASE_SCRIPT } from './fresh-process.ts';
import { type Candidate, compare } from './measure.ts';
import { ourHost, vendorHost } from './prompted-hosts.ts';
import { report } from './report.ts';

const CASES = {
  '250B': { kind: 'delta250', count: 4096, goal: 0.85, goalToVendor: 0.6 },
  '1KB': { kind: 'assistant1k', count: 2048, goal: 0.85, goalToVendor: 0.7 },
  '100KB': { kind: 'toolResult', count: 32, goal: 0.6, goalToVendor: 0.6 },
};

/**
 * R5: the CPU time of a host for each message of an agent process, up to its `for await`. If `AGENT_SDK` is the path of the vendor's SDK,
 * the run also compares our whole host with that SDK.
 */
export async function hostLoop(): Promise<void> {
  await toReadline();
  const { AGENT_SDK: path } = process.env;
  if (path !== undefined) await toVendor(path);
}

async function toReadline(): Promise<void> {
  for (const [name, { kind, count, goal }] of Object.entries(CASES)) {
    const sources: ChildProcess[] = [];
    const read = async (start: (source: ChildProcess, onMessage: () => void) => void): Promise<Candidate> => {
      const source = spawn(process.execPath, [CASE_SCRIPT, 'line-source', kind], {
        stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      });
      sources.push(source);
      await once(source, 'message');
      let seen = 0;
      let onAll: () => void = () => {};
      start(source, () => {
        if (++seen === count) onAll();
      });
      return () => {
        seen = 0;
        return new Promise((resolve) => {
          onAll = () => resolve(seen);
          source.send(count);
        });
      };
    };
    try {
      const candidates = {
        readline: await read(byReadline),
        ours: await read((source, on) => void bySession(source, on)),
      };
      const result = await compare('readline', candidates, count, { rounds: 11 });
      report({
        id: 'R5',
        case: name,
        metric: 'ratio',
        value: 1 / result.of('ours').ratio,
        goal,
        tol: 0.1,
        base: 'readline',
        atMost: true,
        noisy: result.noisy,
        figures: figuresOf(result, { amount: count, unit: 'messages/s' }, { ours: 'ours', peers: ['readline'] }),
      });
    } finally {
      for (const source of sources) source.kill();
    }
  }
}

async function toVendor(path: string): Promise<void> {
  for (const [name, { kind, count, goalToVendor }] of Object.entries(CASES)) {
    const ours = ourHost(kind, count);
    const vendor = await vendorHost(path, kind, count);
    const result = await compare('vendor', { vendor: vendor.ask, ours: ours.ask }, count, { rounds: 11 });
    report({
      id: 'R5',
      case: `${name}, whole host`,
      metric: 'ratio',
      value: 1 / result.of('ours').ratio,
      goal: goalToVendor,
      tol: 0.1,
      base: "the vendor's SDK",
      atMost: true,
      noisy: result.noisy,
      figures: figuresOf(result, { amount: count, unit: 'messages/s' }, { ours: 'ours', peers: ['vendor'] }),
    });
    ours.close();
    vendor.close();
  }
}

function byReadline({ stdout }: ChildProcess, onMessage: () => void): void {
  createInterface({ input: stdout as Readable }).on('line', (line) => {
    JSON.parse(line);
    onMessage();
  });
}

async function bySession({ stdout, stdin }: ChildProcess, onMessage: () => void): Promise<void> {
  const session = createSession(createStdioTransport({ input: stdout as Readable, output: stdin as Writable }));
  for await (const item of session) if (item.kind === 'message') onMessage();
}
