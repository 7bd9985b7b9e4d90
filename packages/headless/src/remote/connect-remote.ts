import { connectUri, type Incoming, type Transport, TransportError, wrapTransport } from '@proto/core/transport';
import { createSseWorkerTransport, hybridScheme } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { createWebSocketClientTransport, webSocketScheme } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { isOn, type Variables } from '../environment-variables.ts';
import type { AccessTokens } from './access-tokens.ts';

/** The remote session to attach to, and the token to use. */
export interface RemoteAddress {
  readonly url: string;
  readonly env: Variables;
  readonly tokens: AccessTokens;
  readonly warn: (text: string) => void;
}

type Connect = (address: RemoteAddress) => Promise<Transport>;

const NO_TOKEN = 'no token for the remote session: set CLAUDE_CODE_SESSION_ACCESS_TOKEN';

const connects: Readonly<Record<string, Connect>> = {
  'http:': connectEvents,
  'https:': connectEvents,
  'ws:': connectSocket,
  'wss:': connectSocket,
  'hybrid+ws:': connectHybrid,
  'hybrid+wss:': connectHybrid,
};

const SOCKETS: readonly Connect[] = [connectSocket, connectHybrid];

/**
 * The scheme of the URL determines the connection: an event stream, a WebSocket, or a WebSocket for reading with POST requests for writing. Rejects
 * if the scheme is unknown.
 */
export async function connectRemote(address: RemoteAddress): Promise<Transport> {
  const { url, env } = address;
  const protocol = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase() ?? '';
  const connect = connects[protocol];
  if (connect === undefined) {
    // The message contains only the scheme, because the rest of the URL may contain a token.
    const known = Object.keys(connects).join(', ');
    throw new TransportError('connect-failed', `Unsupported protocol: ${protocol} (known: ${known})`, {
      retryable: false,
    });
  }
  if (isOn(env['CLAUDE_CODE_USE_CCR_V2']) && SOCKETS.includes(connect)) {
    throw new Error(`CLAUDE_CODE_USE_CCR_V2 is set, so --sdk-url must begin with http: or https:, not ${protocol}`);
  }
  const transport = await connect(address);
  return withFailureReport(transport, (reason) =>
    address.warn(`Warning: no remote session yet, trying again: ${reason}`),
  );
}

async function connectEvents({ url, env, tokens }: RemoteAddress): Promise<Transport> {
  const credential = async () => {
    const token = await tokens.current();
    if (token === undefined) throw new Error(NO_TOKEN);
    return token;
  };
  // Without a token, every request would be refused.
  await credential();
  const headers = () => headersOf(env);
  // A worker may start before its server.
  return createSseWorkerTransport({ url, credential, headers, fetch: undiciFetch(), retryFirstConnect: true });
}

async function connectSocket(address: RemoteAddress): Promise<Transport> {
  const { url, env } = address;
  // Published workers interpret this variable in the same way: the URL keeps its WebSocket scheme.
  if (isOn(env['CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2'])) return connectHybrid({ ...address, url: `hybrid+${url}` });
  return createWebSocketClientTransport({ url, ...(await socketOptions(address)) });
}

async function connectHybrid(address: RemoteAddress): Promise<Transport> {
  const options = { ...(await socketOptions(address)), fetch: undiciFetch() };
  return connectUri(address.url, [hybridScheme(webSocketScheme)], options);
}

async function socketOptions({ env, tokens, warn }: RemoteAddress) {
  if ((await tokens.current()) === undefined) warn(`Error: ${NO_TOKEN}`);
  const credential = () => tokens.current();
  const headers = () => headersOf(env);
  return { credential, headers, open: openSocket, retryFirstConnect: true } as const;
}

function headersOf({ CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION: runner }: Variables): Readonly<Record<string, string>> {
  return {
    'anthropic-version': '2023-06-01',
    ...(runner !== undefined && runner !== '' && { 'x-environment-runner-version': runner }),
  };
}

/**
 * Reports a failed first attempt immediately. Otherwise, the session would see the failure only when it begins to read, after the transport has
 * opened, which may take half a minute. Only the first items are read before the session requests them.
 */
function withFailureReport(transport: Transport, report: (reason: string) => void): Transport {
  const source = transport.incoming[Symbol.asyncIterator]();
  const first = source.next();
  first.then(
    ({ done, value }) => {
      const failure = done === true ? undefined : value.find(({ kind }) => kind === 'link');
      if (failure?.kind === 'link' && failure.state === 'down')
        report(failure.cause?.message ?? 'the reason is unknown');
    },
    // The reader receives this error too.
    () => {},
  );
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for (let next = first; ; next = source.next()) {
        const { done, value } = await next;
        if (done === true) return;
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return wrapTransport(transport, { incoming: incoming() });
}
