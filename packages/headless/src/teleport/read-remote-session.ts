import type { WireMessage } from '@proto/core/framing';
import { undiciFetch } from '@proto/transport-sse/node';
import type { Variables } from '../environment-variables.ts';
import { createAccessTokens } from '../remote/access-tokens.ts';
import { readRows } from '../remote/worker-session.ts';
import { type AskServer, createAskServer, type ServerAnswer } from './ask-server.ts';
import { EventConversation } from './conversation-of-events.ts';
import type { RemoteSessionAddress } from './remote-address.ts';

export interface RemoteConversation {
  readonly sessionId: string | undefined;
  readonly messages: readonly WireMessage[];
}

/** `warn` is called if parts of the session are left out. */
export interface RemoteReader {
  readonly env: Variables;
  readonly warn: (text: string) => void;
  /** The maximum size of all answers in bytes. */
  readonly maxBytes: number;
}

const VARIABLES = 'CLAUDE_CODE_SESSION_ACCESS_TOKEN or CLAUDE_SESSION_INGRESS_TOKEN_FILE';

/**
 * With an account token, the conversation is read from the log. With a worker token, it is read from the transcript that the workers store. Returns
 * `undefined` if the session does not exist. Rejects if the session cannot be read.
 */
export async function readRemoteSession(
  address: RemoteSessionAddress,
  { env, warn, maxBytes }: RemoteReader,
): Promise<RemoteConversation | undefined> {
  const given = await createAccessTokens(env).current();
  // A server on this machine may need no token.
  const ask = createAskServer(address, { token: given?.token, maxBytes, fetch: undiciFetch() });
  const first = await ask('/events?limit=1000');
  if (first.status === 404) return undefined;
  if (first.status === 401 && given === undefined) {
    throw new Error(
      `--teleport needs a token for ${address.origin}: set ${VARIABLES} to the token of an account on the server`,
    );
  }
  // Reading the log requires an account token. With a worker token, the transcript is read.
  if (first.status === 401) return readTranscriptRows(ask, address);
  return readLog(ask, address, first, warn);
}

async function readLog(
  ask: AskServer,
  address: RemoteSessionAddress,
  first: ServerAnswer,
  warn: RemoteReader['warn'],
): Promise<RemoteConversation> {
  const conversation = new EventConversation();
  let isCut = false;
  for (let page = first; ; ) {
    const events = dataOf(page, address);
    const { next_cursor: next, missing } = page.body;
    isCut ||= missing !== undefined && missing !== null;
    for (const event of events) conversation.add(Object(event));
    if (typeof next !== 'string' || events.length === 0) break;
    page = await ask(`/events?limit=1000&after=${encodeURIComponent(next)}`);
  }
  if (isCut) {
    conversation.cutStart();
    warn(
      'Warning: the server no longer has the beginning of this session, so the session continues without its beginning',
    );
  }
  const { waiting, ...read } = conversation.result;
  if (waiting > 0) warn(`Warning: prompts that have not started a turn remain in the remote session (${waiting})`);
  return read;
}

async function readTranscriptRows(
  ask: AskServer,
  address: RemoteSessionAddress,
): Promise<RemoteConversation | undefined> {
  const { entries } = await readRows({
    async *read(scope) {
      // The messages of subagents are not needed to continue the session.
      if (scope === 'subagents') return;
      for (let cursor: string | undefined; ; ) {
        const page = await ask(`/worker/internal-events?limit=1000${cursor === undefined ? '' : `&cursor=${cursor}`}`);
        const rows = dataOf(page, address);
        yield* rows;
        const { next_cursor: next } = page.body;
        if (typeof next !== 'string' || next === cursor || rows.length === 0) return;
        cursor = encodeURIComponent(next);
      }
    },
  });
  return { sessionId: entries.at(-1)?.sessionId, messages: entries.map(({ message }) => message) };
}

/** If the answer contains no entries, throws an error that says what to do. */
function dataOf({ status, body }: ServerAnswer, { id, origin }: RemoteSessionAddress): readonly unknown[] {
  const { data } = body;
  if (status === 200 && Array.isArray(data)) return data;
  const { message } = Object(body['error']);
  const detail = typeof message === 'string' ? `: ${message}` : '';
  switch (status) {
    case 200:
      throw new Error(`${origin} is not a session server`);
    case 401:
      throw new Error(`${origin} does not accept the token: set ${VARIABLES} to the token of an account on the server`);
    case 403:
      throw new Error(`the token does not allow reading the remote session ${id}${detail}`);
    case 409:
      throw new Error(
        `another worker has taken over the remote session ${id}: use the token of an account instead, which is always accepted`,
      );
    default:
      throw new Error(`${origin} cannot return the remote session ${id} at the moment: it answered ${status}${detail}`);
  }
}
export { remoteAddress } from './remote-address.ts';
