import { cutText } from '@proto/core/internal';
import { startProgram } from '@proto/remote/bridge';
import { openSession, SessionError, sessionUrl } from '@proto/remote';
import { EXIT, onInterrupts } from '@proto/terminal/process';
import { attachWorker, startSessionAgent } from '@proto/remote/worker';
import { codeOfChild } from './bridge-exit.ts';
import type { WorkerPlan } from './bridge-plan.ts';
import { type BridgeSettings, endpointOptions } from './run-bridge.ts';

/**
 * Runs a program of this machine as the agent of a session on a server, with the duties of a worker. Fulfils with the exit code of the program.
 * Rejects if the session does not exist, or the token does not allow it.
 */
export async function runWorker(worker: WorkerPlan, settings: BridgeSettings): Promise<number> {
  const { report, signals } = settings;
  const { base, hostname, session } = worker;
  const options = endpointOptions(settings);
  const token = await options.token(hostname);
  // Rejects for a wrong address or token before the program starts.
  await openSession({ base, session, token });
  const agent = startSessionAgent({
    start: () => startProgram(worker.program, options),
    attach: () => attachWorker({ url: sessionUrl(base, session), token: token ?? '' }),
    restart: { maxAttempts: 0 },
    onNoise: (text) => report({ type: 'warning', message: `a line of the agent is no message: ${cutText(text, 256)}` }),
  });
  let code: number | undefined;
  const stop = (signalCode: number) => () => {
    code ??= signalCode;
    void agent.close();
  };
  const leave = onInterrupts(signals, {
    interrupt: stop(EXIT.interrupted),
    close: stop(EXIT.terminated),
    kill: () => agent.abort(),
  });
  const end = await agent.closed;
  leave();
  if (code !== undefined) return code;
  if (end.as === 'left') return EXIT.ok;
  if (end.as === 'failed') return codeOfChild(end.close) ?? EXIT.unreachable;
  if (end.as === 'detached') throw SessionError.from(end.error);
  report({ type: 'error', code: 'superseded', message: 'another worker has the session', retryable: false });
  return EXIT.failed;
}
