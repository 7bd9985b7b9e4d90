import type { IncomingMessage, Transport } from '@proto/core/transport';
import { createFaultyWire, type WireFault } from '@proto/testkit';
import { type DemoProcess, startDemoIngress } from './demo-ingress.ts';
import { type NetworkLeg, overNetwork, overStdio } from './legs.ts';
import { isWhole, tableOf, verdictOf } from './table.ts';
import type { LegReport } from './tally.ts';
import { createTranscript, SILENT } from './transcript.ts';
import { createPaint, type Paint } from '@proto/terminal';
import { errorLine, EXIT } from '@proto/terminal/process';

/** Which agent the demo starts, and how its output is shown. */
export interface DemoOptions {
  /** The executable of the reference agent. */
  readonly agent: string;
  readonly here: DemoProcess;
  /** Whether to write one line of JSON for each transport. Default false: the output is text for human readers. */
  readonly json?: boolean | undefined;
  /** A fault to inject into some messages, to show that the demo notices it. Default: no fault. */
  readonly fault?: WireFault | undefined;
}

const NETWORK: readonly NetworkLeg[] = [
  { name: 'SSE + POST', about: 'the same session through a server that starts the agent', prefer: 'sse' },
  { name: 'WebSocket', about: 'the same session through the same server', prefer: 'ws' },
  {
    name: 'WebSocket, then SSE',
    about: 'the session changes its transport when WebSockets fail',
    prefer: 'ws',
    moves: true,
  },
];

const NEXT = `Try next:
  npx sjp run "/bash date"                        run an agent for one prompt; it asks before it runs the command
  npx sjp run "explain this folder" -- claude     do the same with your own agent
  npx sjp serve -- sjp-agent                      serve sessions to remote clients; prints how to connect
  npx sjp --help                                  show all commands
`;

/**
 * Runs one session over each transport, and checks every message. Fulfils with the exit code: 1 if a message was lost, duplicated or out of order, or
 * if the demo did not finish.
 */
export async function runDemo({ agent, here, json = false, fault }: DemoOptions): Promise<number> {
  const { stdout, stderr } = here;
  const paint = createPaint('auto', here.env, stdout);
  const transcript = json ? SILENT : createTranscript(stdout, paint);
  const legs = {
    here,
    transcript,
    wire: (transport: Transport) => (fault === undefined ? transport : faulty(transport, fault)),
  };
  const reports: LegReport[] = [];
  try {
    reports.push(await overStdio(agent, legs));
    await using ingress = await startDemoIngress(agent, here);
    for (const leg of NETWORK) reports.push(await overNetwork(ingress, leg, legs));
  } catch (error) {
    const message = `the demo did not finish: ${(error as Error).message}`;
    stderr.write(json ? errorLine({ code: 'failed', message }) : `sjp demo: ${message}\n`);
    return EXIT.failed;
  }
  const ok = reports.every(isWhole);
  stdout.write(json ? linesOf(reports, ok) : `\n${tableOf(reports)}\n${endOf(reports, ok, paint)}`);
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

/**
 * Injects a fault in every third turn. The fault affects the answer. The fault `reorder` affects the result, because other messages follow the result
 * immediately.
 */
function faulty(transport: Transport, fault: WireFault): Transport {
  // A turn whose result is lost would never end. Therefore all faults except `reorder` change the answer.
  const type = fault === 'reorder' ? 'result' : 'assistant';
  let count = 0;
  const isHit = (message: IncomingMessage) => message.read().message?.type === type && ++count % 3 === 0;
  return createFaultyWire(transport, { fault, isHit });
}
