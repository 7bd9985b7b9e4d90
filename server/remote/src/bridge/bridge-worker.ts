import { cutText } from '@proto/core/framing';
import { openSession } from '../open-session.ts';
import { parseSessionAddress, type SessionAddress, sessionUrl } from '../session-address.ts';
import { toSessionError } from '../session-error.ts';
import { attachWorker } from '../worker/attach-worker.ts';
import { startSessionAgent } from '../worker/session-agent.ts';
import { codeOfChild, EXIT, type StoppedBy } from './bridge-exit.ts';
import { type Endpoint, startProgram } from './endpoint.ts';
import type { BridgeSettings, RunningBridge } from './join-sides.ts';

/** The address of a session on a server. The agent becomes the worker of this session. */
export type WorkerAddress = Required<Pick<SessionAddress, 'base' | 'hostname' | 'session'>>;

/** Whether an endpoint is the address of a session with `/worker` at its end. */
export function isWorkerAddress(endpoint: Endpoint): endpoint is string {
  return typeof endpoint === 'string' && /^sse\+.*\/worker\/?$/.test(endpoint);
}

/** Reads the address of a session with `/worker` at its end. @throws Error if the address names no session. */
export function parseWorkerAddress(endpoint: string): WorkerAddress {
  const { session, base, hostname } = parseSessionAddress(endpoint.replace(/\/worker\/?$/, ''));
  if (session === undefined) throw new Error('the part of the address before /worker must be the address of a session');
  return { base, hostname, session };
}

/**
 * Runs a local program as the agent of a session on a server, and does the worker's duties for it. `closed` rejects with a `SessionError` if the
 * session is lost. The call rejects if the session does not exist or the token does not allow this.
 */
export async function bridgeWorker(
  { base, hostname, session }: WorkerAddress,
  program: readonly string[],
  settings: BridgeSettings,
): Promise<RunningBridge> {
  const { report } = settings;
  const token = await settings.token(hostname);
  // This rejects for a wrong address or token before the program starts.
  await openSession({ base, session, token });
  const onStderr = (text: string) => report({ type: 'agent_stderr', text });
  const agent = startSessionAgent({
    start: () => startProgram(program, { ...settings, onStderr }),
    attach: () => attachWorker({ url: sessionUrl(base, session), token: token ?? '' }),
    onNoise: (text) =>
      report({ type: 'warning', message: `a line from the agent is not a message: ${cutText(text, 256)}` }),
  });
  let code: number | undefined;
  const stop = (by: StoppedBy) => {
    code ??= EXIT[by];
    void agent.close();
  };
  const closed = agent.closed.then((end) => {
    if (code !== undefined) return code;
    if (end.as === 'left') return EXIT.ok;
    if (end.as === 'failed') return codeOfChild(end.close) ?? EXIT.unreachable;
    if (end.as === 'detached') throw toSessionError(end.error);
    report({ type: 'error', code: 'superseded', message: 'another worker has the session', retryable: false });
    return EXIT.failed;
  });
  return {
    closed,
    interrupt: () => stop('interrupt'),
    close: () => stop('close'),
    abort: () => agent.abort(),
  };
}
