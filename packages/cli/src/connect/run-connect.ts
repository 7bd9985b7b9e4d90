import type { Transport } from '@proto/core/transport';
import { createSseTransport } from '@proto/transport-sse';
import { clientToken } from '../network/client-token.ts';
import { EXIT } from '../run/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { ConnectError } from './connect-error.ts';
import { connectLines } from './connect-lines.ts';
import type { ConnectNotices } from './connect-notices.ts';
import type { ConnectOptions, ConnectPlan } from './connect-plan.ts';
import { createCursorFile, readCursor } from './cursor-file.ts';
import { openSession } from './open-session.ts';
import { createOwnTurns } from './own-turns.ts';
import { readSession } from './read-session.ts';
import { createScreen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

// For what was said and the server has not taken yet.
const LEAVE_MS = 5000;

/** Follows a session until its client has nothing to wait for any more, or is stopped. Gives the exit code; rejects where there is none. */
export async function runConnect(
  plan: ConnectPlan,
  options: ConnectOptions,
  here: RunProcess,
  notices: ConnectNotices,
): Promise<number> {
  const { base, hostname } = plan;
  const { tokenFile, cursorFile: path, format } = options;
  const token = () => clientToken({ tokenFile, hostname, cwd: here.cwd(), env: here.env });
  const present = await token();
  const { id, url, last } = await openSession({ base, session: plan.session, token: present });
  if (plan.session === 'new') notices.session(id);
  const cursorFile = path === undefined ? undefined : createCursorFile(path, id);
  const cursor = await cursorOf(plan, path, { id, last });

  let exitCode: number = EXIT.ok;
  const leave = () => {
    void viewer.close();
    setTimeout(() => viewer.abort(), LEAVE_MS).unref();
  };
  const fail = (error: ConnectError) => {
    if (exitCode === EXIT.ok) exitCode = error.exitCode;
    notices.error(error.report);
  };
  let isInterrupted = false;
  const turns = createOwnTurns(leave);
  const viewer: Transport = createSseTransport({
    url,
    ...(cursor !== undefined && { cursor }),
    ...(present !== undefined && { credential: async () => (await token()) ?? present }),
    onNotice: (event, data) => event === 'control_resolved' && screen?.resolved(Object(data).request_id),
  });
  const session = readSession(viewer, {
    last,
    cursorFile,
    onLink: notices.link,
    onMessage(message, isLive) {
      turns.heard(message);
      if (!turns.isWaiting) isInterrupted = false;
      if (!isLive || message['subtype'] !== 'agent_exited' || message['restarting'] === true) return;
      if (message['code'] === 0 && !turns.isWaiting) return;
      fail(new ConnectError(EXIT.agentError, { code: 'agent_exited', message: 'the agent of the session is gone' }));
      leave();
    },
    onGap() {
      if (options.requireContinuity !== true) return false;
      fail(new ConnectError(EXIT.gap, { code: 'gap', message: 'messages are missing behind the cursor' }));
      return true;
    },
  });
  const onUndelivered = (error: unknown) => fail(ConnectError.of(error));
  const screen = format === 'ndjson' ? undefined : createScreen({ here, options, session, turns, onUndelivered });
  const unlisten = onStopSignals(here, {
    interrupt() {
      if (screen === undefined || isInterrupted || !turns.isWaiting) return false;
      isInterrupted = true;
      screen.interrupt();
      return true;
    },
    leave(code) {
      exitCode = code;
      leave();
    },
    abort: () => viewer.abort(),
  });
  if (screen !== undefined) await screen.run();
  else {
    const onMalformed = (message: string) => notices.error({ code: 'malformed', message });
    await connectLines(session, { stdin: here.stdin, stdout: here.stdout, turns, onMalformed, onUndelivered });
  }
  unlisten();
  const { by, error } = await viewer.closed;
  if (error !== undefined && by !== 'local' && exitCode === EXIT.ok) fail(ConnectError.of(error));
  await cursorFile?.flush();
  return exitCode;
}

/** Where to begin: as said, else as kept, else at the beginning. */
async function cursorOf(
  { since }: ConnectPlan,
  path: string | undefined,
  { id, last }: { readonly id: string; readonly last: number },
): Promise<string | undefined> {
  if (since === 'start') return undefined;
  if (since !== undefined) return String(since === 'now' ? last : since);
  return path === undefined ? undefined : readCursor(path, id);
}
