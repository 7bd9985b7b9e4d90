import type { WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import { askForToken, createOwnTurns, openSession, openViewer, type OwnTurns, SessionError } from '@proto/remote';
import { ConnectError, toConnectError } from '../errors.ts';
import { EXIT } from '../process/exit-code.ts';
import { messageFor } from '../process/file-reason.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { connectLines } from './connect-lines.ts';
import { type ConnectNotices, createConnectNotices } from './connect-notices.ts';
import { type ConnectOptions, type ConnectPlan, planConnect } from './connect-plan.ts';
import { createCursorFile, readCursor } from './cursor-file.ts';
import { createLeaving, onStopSignals } from './leaving.ts';
import { readSession } from './read-session.ts';
import { createScreen } from './screen.ts';

export type { ConnectOptions } from './connect-plan.ts';

/**
 * Connects a session on a server with stdin and stdout until all prompts and requests of the client are answered, or the client is stopped. Fulfils
 * with the exit code, and reports errors on stderr. Never rejects.
 */
export async function runConnect(address: string, options: ConnectOptions, here: RunProcess): Promise<number> {
  const notices = createConnectNotices(here.stderr, options);
  try {
    return await followToEnd(planConnect(address, options), options, here, notices);
  } catch (error) {
    if (error instanceof SessionError) {
      const { report, exitCode } = toConnectError(error);
      notices.error(report);
      return exitCode;
    }
    // All other errors concern the options, and files that the options name.
    notices.error({ code: 'usage', message: messageFor(error as Error) });
    return EXIT.usage;
  }
}

async function followToEnd(
  plan: ConnectPlan,
  options: ConnectOptions,
  here: RunProcess,
  notices: ConnectNotices,
): Promise<number> {
  const { url, last, credential, cursor, cursorFile } = await enterSession(plan, options, notices);
  const leaving = createLeaving(() => viewer, notices);
  const turns = createOwnTurns(() => leaving.leave());
  const viewer: Transport = openViewer({ url, prefer: plan.prefer, cursor, credential });
  let isInterrupted = false;
  const session = readSession(viewer, {
    last,
    cursorFile,
    onLink: notices.link,
    onMessage(message, isLive) {
      turns.received(message);
      if (!turns.isWaiting) isInterrupted = false;
      if (!isLive || !isAgentGone(message, turns)) return;
      leaving.fail(AGENT_GONE);
      leaving.leave();
    },
    onGap() {
      if (options.requireContinuity === true) leaving.fail(GAP);
      return options.requireContinuity === true;
    },
  });
  const onUndelivered = (error: unknown) => leaving.fail(toConnectError(error));
  const screen =
    options.format === 'ndjson' ? undefined : createScreen({ here, options, session, turns, onUndelivered });
  const unlisten = onStopSignals(here, {
    ...leaving,
    interrupt() {
      if (screen === undefined || isInterrupted || !turns.isWaiting) return false;
      isInterrupted = true;
      screen.interrupt();
      return true;
    },
  });
  if (screen !== undefined) await screen.run();
  else {
    const onMalformed = (message: string) => notices.error({ code: 'malformed', message });
    await connectLines(session, { stdin: here.stdin, stdout: here.stdout, turns, onMalformed, onUndelivered });
  }
  unlisten();
  const { by, error } = await viewer.closed;
  if (error !== undefined && by !== 'local' && leaving.exitCode === EXIT.ok) leaving.fail(toConnectError(error));
  await cursorFile?.flush();
  return leaving.exitCode;
}

async function enterSession(plan: ConnectPlan, options: ConnectOptions, notices: ConnectNotices) {
  const { base, session, hostname } = plan;
  const { cursorFile: path, newIfGone } = options;
  const { token, credential } = await askForToken(async () => options.token?.(hostname));
  const opened = await openSession({ base, session, token, newIfGone });
  const { id, url, last, isNew } = opened;
  if (isNew) notices.session(id);
  return {
    url,
    last,
    credential,
    cursorFile: path === undefined ? undefined : createCursorFile(path, id),
    // The cursor of another session is meaningless in a new session.
    cursor: isNew ? undefined : await cursorOf(plan, path, opened),
  };
}

const AGENT_GONE = new ConnectError(EXIT.agentError, {
  code: 'agent_exited',
  message: 'the agent of the session has ended',
});
const GAP = new ConnectError(EXIT.gap, { code: 'gap', message: 'messages are missing after the cursor' });

/** Whether to report that the agent has ended permanently. A normal end is reported only if the client is still waiting for an answer. */
function isAgentGone({ subtype, restarting, code }: WireMessage, { isWaiting }: OwnTurns): boolean {
  return subtype === 'agent_exited' && restarting !== true && (code !== 0 || isWaiting);
}

/**
 * Returns the cursor at which to begin: the option if it is given, or else the cursor in the file. If both are missing, returns undefined, which
 * means the beginning of the log.
 */
async function cursorOf(
  { since }: ConnectPlan,
  path: string | undefined,
  { id, last }: { readonly id: string; readonly last: number },
): Promise<string | undefined> {
  if (since === 'start') return undefined;
  if (since !== undefined) return String(since === 'now' ? last : since);
  return path === undefined ? undefined : readCursor(path, id);
}
