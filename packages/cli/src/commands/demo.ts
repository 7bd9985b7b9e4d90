import type { IncomingMessage, Transport } from '@proto/core/transport';
import { createFaultyWire, type WireFault } from '@proto/testkit';
import { startDemoIngress } from '../demo/demo-ingress.ts';
import { type NetworkLeg, overNetwork, overStdio } from '../demo/legs.ts';
import { isWhole, tableOf } from '../demo/table.ts';
import type { LegReport } from '../demo/tally.ts';
import { errorLine } from '../error-line.ts';
import { EXIT } from '../run/exit-code.ts';
import { createTranscript, type Transcript } from '../transcript.ts';

/** The flags of `sjp demo`. */
export interface DemoOptions {
  readonly json?: boolean;
  /** What is done to some messages, so that it can be seen to be noticed. */
  readonly fault?: WireFault;
}

const NETWORK: readonly NetworkLeg[] = [
  { name: 'SSE + POST', prefer: 'sse' },
  { name: 'WebSocket', prefer: 'ws' },
  { name: 'WebSocket, then SSE', prefer: 'ws', moves: true },
];

const SILENT: Transcript = { line() {}, piece() {} };

/** `sjp demo`: one session over each transport, and what became of every message. Gives the exit code: 1 where one went wrong. */
export async function demo(agent: string, { json = false, fault }: DemoOptions): Promise<number> {
  const transcript = json ? SILENT : createTranscript(process.stdout);
  const legs = {
    transcript,
    wire: (transport: Transport) => (fault === undefined ? transport : faulty(transport, fault)),
  };
  const reports: LegReport[] = [];
  try {
    reports.push(await overStdio(agent, legs));
    await using ingress = await startDemoIngress(agent);
    for (const leg of NETWORK) reports.push(await overNetwork(ingress, leg, legs));
  } catch (error) {
    const message = `the demo did not come to its end: ${(error as Error).message}`;
    process.stderr.write(json ? errorLine({ code: 'failed', message }) : `sjp demo: ${message}\n`);
    return EXIT.failed;
  }
  const ok = reports.every(isWhole);
  if (json) {
    for (const report of reports) process.stdout.write(`${JSON.stringify({ type: 'transport', ...report })}\n`);
    process.stdout.write(`${JSON.stringify({ type: 'result', ok })}\n`);
  } else process.stdout.write(`\n${tableOf(reports)}${ok ? '' : '✖ not every message arrived once and in order\n'}`);
  return ok ? EXIT.ok : EXIT.failed;
}

/** Hits each third turn: its answer, or where that is to come late its result, which other messages follow at once. */
function faulty(transport: Transport, fault: WireFault): Transport {
  // A turn whose result is lost would have no end.
  const type = fault === 'reorder' ? 'result' : 'assistant';
  let count = 0;
  const isHit = (message: IncomingMessage) => message.read().message?.type === type && ++count % 3 === 0;
  return createFaultyWire(transport, { fault, isHit });
}
