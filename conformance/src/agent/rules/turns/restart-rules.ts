import { shortJson } from '@proto/testkit/steps';

import { flagValues, hasFlag, listOf, member, type Message, type Session } from '../../session-log.ts';
import { isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf } from '../rule.ts';
import { isInit } from '../timeline.ts';

/** A rule that applies to a process and to the processes that ran before it in the same folder. */
export interface RestartRule {
  readonly name: string;
  readonly spec: string;
  readonly check: (process: Session, earlier: readonly Session[]) => Broken | undefined;
}

export const restartRules: readonly RestartRule[] = [
  { name: 'restart/nothing-again', spec: 'TRN-40', check: messagesAgain },
  { name: 'restart/prompt-once', spec: 'TRN-23', check: promptsAgain },
  { name: 'restart/new-id-of-a-copy', spec: 'TRN-39', check: copiesWithOldIds },
  { name: 'restart/newest-session', spec: 'TRN-57', check: otherContinued },
  { name: 'restart/not-stored', spec: 'TRN-58', check: storedAnyway },
  { name: 'restart/unknown-session', spec: 'TRN-41', check: startedAnew },
  { name: 'restart/mirror-once', spec: 'TRN-50', check: entriesAgain },
];

function conversationIdsOf({ received }: Session): readonly unknown[] {
  return [...new Set(received.flatMap(({ message }) => (isInit(message) ? [message['session_id']] : [])))];
}

const isStored = (session: Session) => !hasFlag(session, '--no-session-persistence');
const resumedBy = (session: Session) => flagValues(session, '--resume', '-r')[0];
const isFork = (session: Session) => hasFlag(session, '--fork-session');

/** Returns the earlier processes that had one of this process's conversations. */
function sameSession(session: Session, earlier: readonly Session[]): readonly Session[] {
  const ids = conversationIdsOf(session);
  return isFork(session) ? [] : earlier.filter((each) => conversationIdsOf(each).some((id) => ids.includes(id)));
}

function messagesAgain(session: Session, earlier: readonly Session[]): Broken | undefined {
  const { received } = session;
  const isOfTurn = (type: unknown) => type === 'assistant' || type === 'user' || type === 'result';
  const said = new Set(
    earlier.flatMap((each) =>
      each.received.flatMap(({ message }) => (isOfTurn(message['type']) ? [message['uuid']] : [])),
    ),
  );
  const own = new Set(textsSent(session));
  const texts = new Set(earlier.flatMap(textsSent).filter((text) => !own.has(text)));
  const old = firstOf(received, ({ message }) =>
    texts.has(textOfPrompt(message) ?? '') && message['isSynthetic'] !== true && isMain(message)
      ? { message: 'A prompt from an earlier process was sent again.', got: message }
      : undefined,
  );
  if (old !== undefined) return old;
  return firstOf(received, ({ message }) =>
    isOfTurn(message['type']) &&
    message['isReplay'] !== true &&
    message['uuid'] !== undefined &&
    said.has(message['uuid'])
      ? { message: 'A message from an earlier process was sent again.', got: message }
      : undefined,
  );
}

function textOfPrompt({ type, message }: Message): string | undefined {
  const content = type === 'user' ? member(message, 'content') : undefined;
  return typeof content === 'string' ? content : undefined;
}

function textsSent({ sent }: Session): readonly string[] {
  return sent.flatMap(({ message }) => textOfPrompt(message) ?? []);
}

function answeredBy({ received }: Pick<Session, 'received'>): readonly unknown[] {
  return received.flatMap(({ message }) => (message['type'] === 'result' ? listOf(message['user_message_uuids']) : []));
}

/** The prompts that were reported as started before a turn began. */
function startedBy({ received }: Pick<Session, 'received'>): readonly unknown[] {
  const last = received.findLastIndex(({ message }) => isInit(message));
  return received
    .slice(0, last + 1)
    .flatMap(({ message }) => (message['state'] === 'started' ? [message['command_uuid']] : []));
}

/** The prompts that hooks have blocked. They are not part of the session. */
export function blockedIn({ received }: Pick<Session, 'received'>): ReadonlySet<unknown> {
  const blocked = new Set<unknown>();
  let isBlocked = false;
  for (const { message } of received) {
    if (member(message['prompt_submit_outcome'], 'prompt_kept') === false) isBlocked = true;
    if (message['type'] !== 'result') continue;
    for (const uuid of isBlocked ? listOf(message['user_message_uuids']) : []) blocked.add(uuid);
    isBlocked = false;
  }
  return blocked;
}

function promptsAgain(session: Session, earlier: readonly Session[]): Broken | undefined {
  const accepted = new Set(
    sameSession(session, earlier).flatMap((each) => {
      const blocked = blockedIn(each);
      // The earlier process may have begun another conversation, which is another session.
      const ids = new Set(conversationIdsOf(session));
      const received = each.received.filter(({ message }) => ids.has(message['session_id']));
      // A prompt whose turn has begun is part of the session, even if the process ended in this turn.
      return [...answeredBy({ received }), ...startedBy({ received })].filter((uuid) => !blocked.has(uuid));
    }),
  );
  const twice = answeredBy(session).find((uuid) => accepted.has(uuid));
  return twice === undefined
    ? undefined
    : { message: `The prompt ${shortJson(twice)} was run in an earlier process of the session, and was run again.` };
}

function copiesWithOldIds(session: Session, earlier: readonly Session[]): Broken | undefined {
  const old = earlier.flatMap(conversationIdsOf);
  const id = conversationIdsOf(session)[0];
  return isFork(session) && id !== undefined && old.includes(id)
    ? { message: `A copy of a session has the session_id ${shortJson(id)} of an earlier session.` }
    : undefined;
}

/** Finds processes with `--continue` that do not continue the newest stored session, if it is certain which is the newest. */
function otherContinued(session: Session, earlier: readonly Session[]): Broken | undefined {
  const ids = earlier.filter(isStored).flatMap(conversationIdsOf);
  const newest = ids.at(-1);
  const id = conversationIdsOf(session)[0];
  const isPlain = (hasFlag(session, '--continue') || hasFlag(session, '-c')) && !isFork(session);
  // If an older session was resumed, or one process had two conversations, it is uncertain which session is the newest.
  const isOpen = ids.slice(0, -1).includes(newest) && new Set(ids).size > 1;
  if (!isPlain || id === undefined || newest === undefined || isOpen || id === newest) return undefined;
  if (earlier.some((each) => conversationIdsOf(each).length > 1)) return undefined;
  return { message: `The newest session is ${shortJson(newest)}, but --continue continued ${shortJson(id)}.` };
}

function storedAnyway(session: Session, earlier: readonly Session[]): Broken | undefined {
  const stored = earlier.filter(isStored).flatMap(conversationIdsOf);
  const unstored = earlier.filter((each) => !isStored(each)).flatMap(conversationIdsOf);
  const resumed = resumedBy(session);
  const begun = conversationIdsOf(session)[0];
  const wanted = hasFlag(session, '--continue') || hasFlag(session, '-c') ? begun : resumed;
  return begun !== undefined && unstored.includes(wanted) && !stored.includes(wanted)
    ? { message: `The session ${shortJson(wanted)} was started with --no-session-persistence, but could be continued.` }
    : undefined;
}

/** Finds processes that begin a turn although `--resume` names a session that no process in this folder has had. */
function startedAnew(session: Session, earlier: readonly Session[]): Broken | undefined {
  const resumed = resumedBy(session);
  const known = earlier.flatMap(({ received }) => received.map(({ message }) => message['session_id']));
  return resumed !== undefined && !known.includes(resumed) && conversationIdsOf(session).length > 0
    ? { message: `The session ${shortJson(resumed)} does not exist, but the agent began a turn.` }
    : undefined;
}

/** The files of all entries of a process, with the ids of the entries. */
function entriesOf({ received }: Session): readonly (readonly [unknown, unknown])[] {
  return received.flatMap(({ message }) =>
    listOf(message['entries']).flatMap((entry) => {
      const uuid = member(entry, 'uuid');
      return uuid === undefined ? [] : [[message['filePath'], uuid] as const];
    }),
  );
}

/** Finds entries of a session file that an earlier process has sent. Two sessions may have an entry with the same id, such as that of a repeated prompt. */
function entriesAgain(session: Session, earlier: readonly Session[]): Broken | undefined {
  const sent = new Set(
    sameSession(session, earlier).flatMap((each) => entriesOf(each).map((entry) => shortJson(entry))),
  );
  const twice = entriesOf(session).find((entry) => sent.has(shortJson(entry)))?.[1];
  return twice === undefined
    ? undefined
    : { message: `An earlier process already sent the entry ${shortJson(twice)}, but it was sent again.` };
}
