import type { WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import { createOwnTurns, openSession, openViewer, type OwnTurns } from '@proto/remote';
import { EXIT } from '../run/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { ConnectError } from './connect-error.ts';
import { connectLines } from './connect-lines.ts';
import type { ConnectNotices } from './connect-notices.ts';
import type { ConnectOptions, ConnectPlan } from './connect-plan.ts';
import { createCursorFile, readCursor } from './cursor-file.ts';
import { createLeaving } from './leaving.ts';
import { readSession } from './read-session.ts';
import { createScreen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

/** Follows a session until its client has nothing to wait for any more, or is stopped. Gives the exit code; rejects where there is none. */
export async function runConnect(
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
      turns.heard(message);
      if (!turns.isWaiting) isInterrupted = false;
      if (!isLive || !isLastWord(message, turns)) return;
      leaving.fail(AGENT_GONE);
      leaving.leave();
    },
    onGap() {
      if (options.requireContinuity === true) leaving.fail(GAP);
      return options.requireContinuity === true;
    },
  });
  const onUndelivered = (error: unknown) => leaving.fail(ConnectError.of(error));
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
  if (error !== undefined && by !== 'local' && leaving.exitCode === EXIT.ok) leaving.fail(ConnectError.of(error));
  await cursorFile?.flush();
  return leaving.exitCode;
}

/** Finds or makes the session, and the place to go on from. */
async function enterSession(plan: ConnectPlan, options: ConnectOptions, notices: ConnectNotices) {
  const { base, session, hostname } = plan;
  const { cursorFile: path, newIfGone } = options;
  const token = async () => options.token?.(hostname);
  const present = await token();
  const opened = await openSession({ base, session, token: present, newIfGone });
  const { id, url, last, isNew } = opened;
  if (isNew) notices.session(id);
  return {
    url,
    last,
    credential: present === undefined ? undefined : async () => (await token()) ?? present,
    cursorFile: path === undefined ? undefined : createCursorFile(path, id),
    // Where somebody was in a session that is gone says nothing about a new one.
    cursor: isNew ? undefined : await cursorOf(plan, path, opened),
  };
}

const AGENT_GONE = new ConnectError(EXIT.agentError, {
  code: 'agent_exited',
  message: 'the agent of the session is gone',
});
const GAP = new ConnectError(EXIT.gap, { code: 'gap', message: 'messages are missing behind the cursor' });

/** Whether the agent is gone, and not to come back: one that left well is missed by nobody who waits for nothing. */
function isLastWord({ subtype, restarting, code }: WireMessage, { isWaiting }: OwnTurns): boolean {
  return subtype === 'agent_exited' && restarting !== true && (code !== 0 || isWaiting);
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
