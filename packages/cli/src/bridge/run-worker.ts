import { ConnectError } from '../network/connect-error.ts';
import { openSession } from '../network/open-session.ts';
import { clientToken } from '../network/client-token.ts';
import { startProgram } from '../network/endpoint.ts';
import { EXIT } from '../run/exit-code.ts';
import { onInterrupts } from '../run/interrupts.ts';
import { attachWorker } from '../worker/attach-worker.ts';
import { SessionAgent } from '../worker/session-agent.ts';
import { codeOfChild } from './bridge-exit.ts';
import type { WorkerPlan } from './bridge-plan.ts';
import type { BridgeSettings } from './run-bridge.ts';

/**
 * Has a program of this machine be the agent of a session that is elsewhere, with the duties of a worker. Fulfils with its exit code; rejects
 * where there is no such session, or nobody may.
 */
export async function runWorker(worker: WorkerPlan, settings: BridgeSettings): Promise<number> {
  const { plan, report, cwd, env, signals } = settings;
  const { base, hostname, session } = worker;
  const token = await clientToken({ tokenFile: plan.tokenFile, hostname, cwd, env });
  // What is wrong with the address or the token is said ahead of anything else.
  await openSession({ base, session, token });
  const agent = new SessionAgent({
    start: () => startProgram(worker.program, { env, onStderr: (text) => report({ type: 'agent_stderr', text }) }),
    attach: () => attachWorker({ fetch: (request) => fetch(request) }, session, token ?? '', base),
    restart: { maxAttempts: 0 },
    onStarted() {},
    onNoise: (text) => report({ type: 'warning', message: `a line of the agent is no message: ${text.slice(0, 256)}` }),
    onExited() {},
  });
  let code: number | undefined;
  const stop = (signalCode: number) => () => {
    code ??= signalCode;
    agent.stop();
  };
  const leave = onInterrupts(signals, {
    interrupt: stop(EXIT.interrupted),
    close: stop(EXIT.terminated),
    kill: () => agent.abort(),
  });
  const end = await agent.ended;
  leave();
  if (code !== undefined) return code;
  if (end.as === 'left') return EXIT.ok;
  if (end.as === 'failed') return codeOfChild(end.close) ?? EXIT.unreachable;
  if (end.as === 'detached') throw ConnectError.of(end.error);
  report({ type: 'error', code: 'superseded', message: 'another worker has the session', retryable: false });
  return EXIT.failed;
}
