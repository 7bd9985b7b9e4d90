import type { IncomingMessage, Transport } from '@proto/core/transport';
import { createFaultyWire, type WireFault } from '@proto/testkit';
import { startDemoIngress } from '../demo/demo-ingress.ts';
import { type NetworkLeg, overNetwork, overStdio } from '../demo/legs.ts';
import { isWhole, tableOf, verdictOf } from '../demo/table.ts';
import type { LegReport } from '../demo/tally.ts';
import { createTranscript, SILENT } from '../demo/transcript.ts';
import { errorLine } from '../error-line.ts';
import { EXIT } from '../run/exit-code.ts';
import { createPaint, type Paint } from '../run/paint.ts';

/** The flags of `sjp demo`. */
export interface DemoOptions {
  readonly json?: boolean;
  /** What is done to some messages, so that it can be seen to be noticed. */
  readonly fault?: WireFault;
}

const NETWORK: readonly NetworkLeg[] = [
  { name: 'SSE + POST', about: 'the same session through a server that starts the agent', prefer: 'sse' },
  { name: 'WebSocket', about: 'the same session through the same server', prefer: 'ws' },
  { name: 'WebSocket, then SSE', about: 'the session moves where WebSockets fail', prefer: 'ws', moves: true },
];

const NEXT = `Try next:
  npx sjp run "/bash date"                        host an agent for one prompt; it asks before it runs the command
  npx sjp run "explain this folder" -- claude     the same with an agent of yours
  npx sjp serve -- sjp-agent                      sessions for clients elsewhere; prints how to connect
  npx sjp --help                                  all commands
`;

/** `sjp demo`: one session over each transport, and what became of every message. Gives the exit code: 1 where one went wrong. */
export async function demo(agent: string, { json = false, fault }: DemoOptions): Promise<number> {
  const paint = createPaint('auto', process.env, process.stdout);
  const transcript = json ? SILENT : createTranscript(process.stdout, paint);
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
  process.stdout.write(json ? linesOf(reports, ok) : `\n${tableOf(reports)}\n${endOf(reports, ok, paint)}`);
  return ok ? EXIT.ok : EXIT.failed;
}

function linesOf(reports: readonly LegReport[], ok: boolean): string {
  const lines = [...reports.map((report) => ({ type: 'transport', ...report })), { type: 'result', ok }];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function endOf(reports: readonly LegReport[], ok: boolean, paint: Paint): string {
  const verdict = verdictOf(reports);
  return ok ? `${paint('green', `✔ ${verdict}`)}\n\n${NEXT}` : `${paint('red', `✖ ${verdict}`)}\n`;
}

/** Hits each third turn: its answer, or where that is to come late its result, which other messages follow at once. */
function faulty(transport: Transport, fault: WireFault): Transport {
  // A turn whose result is lost would have no end.
  const type = fault === 'reorder' ? 'result' : 'assistant';
  let count = 0;
  const isHit = (message: IncomingMessage) => message.read().message?.type === type && ++count % 3 === 0;
  return createFaultyWire(transport, { fault, isHit });
}
