import type { Transport } from '@proto/core/transport';
import type { HeadlessOptions } from '@proto/headless';
import {
  askForToken,
  openSession,
  openViewer,
  parseSessionAddress,
  type SessionAddress,
  SessionError,
} from '@proto/remote';
import { undiciFetch } from '@proto/transport-sse/node';
import { createWebSocketClientTransport } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import type { RemoteSessions } from './remote-sessions.ts';
import { ShimError } from './shim-error.ts';

/** The address of the agent: a session on a server, or a WebSocket of the agent itself. */
export type ShimAddress =
  | ({ readonly kind: 'sessions' } & SessionAddress)
  | { readonly kind: 'socket'; readonly url: string; readonly hostname: string };

/**
 * Reads the address of an agent. `https://HOST/v1` and `wss://HOST/v1`, with or without the path of a session after it, are the address of a session
 * server. Any other `ws:` or `wss:` address is a WebSocket of the agent itself.
 *
 * @throws Error for any other text. Its message does not contain the text, because the text may contain a secret.
 */
export function parseShimAddress(text: string): ShimAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSocket = url !== undefined && /^wss?:$/.test(url.protocol);
  if (isSocket && !/\/v1(?:\/|$)/.test(url.pathname)) {
    if (url.username !== '' || url.password !== '')
      throw new Error('do not put a secret in a URL: give the token in the file that SJP_SHIM_TOKEN_FILE names');
    return { kind: 'socket', url: text, hostname: url.hostname };
  }
  return { kind: 'sessions', ...parseSessionAddress(text.replace(/\/v1\/?$/, '')) };
}

/** Which agent to reach, and with which token. */
export interface OpenRemoteAgentOptions {
  readonly address: ShimAddress;
  readonly options: HeadlessOptions;
  readonly token: () => Promise<string | undefined>;
  readonly sessions: RemoteSessions;
  readonly cwd: string;
}

/** The transport to an agent, and the session id if the agent belongs to a session on a server. */
export interface RemoteAgent {
  readonly transport: Transport;
  readonly session: string | undefined;
}

/** Creates the agent's session, or finds the session that the command line names. Rejects if that session does not exist. */
export async function openRemoteAgent(given: OpenRemoteAgentOptions): Promise<RemoteAgent> {
  const { address, options, cwd } = given;
  const { token, credential } = await askForToken(given.token);
  if (address.kind === 'socket') {
    if (options.resume !== undefined || options.continue === true) {
      throw new ShimError(
        'unsupported-option',
        '--resume and --continue need a session server, but SJP_SHIM_URL is the WebSocket of an agent',
      );
    }
    const { url } = address;
    const transport = createWebSocketClientTransport({ url, open: openSocket, ...(credential && { credential }) });
    return { transport, session: undefined };
  }
  const { base } = address;
  const session = (await resumedSession(options, base, given.sessions, cwd)) ?? address.session ?? 'new';
  const opened = await openSession({ base, session, token }).catch((error: unknown) => {
    const isGone = error instanceof SessionError && error.code === 'not_found';
    throw isGone && session !== 'new' ? notFound(options) : error;
  });
  const transport = openViewer({
    url: opened.url,
    prefer: address.prefer,
    fetch: undiciFetch(),
    // A host that resumes already knows the earlier messages.
    cursor: opened.last > 0 ? String(opened.last) : undefined,
    credential,
  });
  return { transport, session: opened.id };
}

async function resumedSession(
  options: HeadlessOptions,
  base: string,
  sessions: RemoteSessions,
  cwd: string,
): Promise<string | undefined> {
  const { resume } = options;
  if (resume === undefined && options.continue !== true) return undefined;
  if (resume === true) throw new ShimError('unsupported-option', '--resume needs the ID of a session');
  // This is the server's own id of a session.
  if (resume?.startsWith('cse_')) return resume;
  const found = resume === undefined ? await sessions.latest(cwd, base) : await sessions.find(resume, base);
  if (found === undefined) throw notFound(options);
  return found;
}

/** Creates the error for a conversation that does not exist, in the words of published agents. */
function notFound({ resume }: HeadlessOptions): ShimError {
  return new ShimError(
    'no-conversation',
    resume === undefined
      ? 'No conversation found to continue'
      : `No conversation found with session ID: ${String(resume)}`,
  );
}
