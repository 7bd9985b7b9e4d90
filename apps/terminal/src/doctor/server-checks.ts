import { parseJson } from '@proto/core/framing';
import { sessionUrl } from '@proto/remote';
import { type Check, failed, fine, noted, skipped } from './check.ts';
import { type Answer, probe } from './probe.ts';

/** A session server to which a connection can be made. */
export interface ServerTarget {
  /** The address without a slash at its end. */
  readonly base: string;
  /** The session in the address; undefined if the address names no session. */
  readonly session: string | undefined;
  readonly token: string | undefined;
  readonly timeoutMs: number;
}

// With a larger difference, a ticket, which is valid for one minute, could already have expired, and a server with a wrong clock could refuse valid
// tokens that have an expiry time.
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const SESSIONS = '/v1/code/sessions';

/** Checks a server over HTTP: its protocol, its clock, the token, an event stream, a WebSocket, and the time of a round trip. */
export async function serverChecks(target: ServerTarget): Promise<readonly Check[]> {
  const url = new URL(`${target.base}${SESSIONS}?limit=1`);
  let listed: Answer;
  try {
    listed = await probe({ url, headers: authorization(target), timeoutMs: target.timeoutMs });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
    const advice =
      'check which program listens at this address, because it does not answer HTTP requests or delays its answers';
    const others = ['clock', 'token', 'stream', 'websocket', 'round trip'];
    return [
      failed('http', 'no-answer', `the server did not answer: ${why}`, advice),
      ...others.map((name) => skipped(name, 'no answer')),
    ];
  }
  const clock = clockCheck(listed);
  const http = httpCheck(listed);
  const token = http.status === 'failed' ? skipped('token', 'the HTTP check failed') : tokenCheck(listed, target);
  const session = target.session ?? newestSession(listed);
  if (token.status !== 'ok' || session === undefined) {
    const why =
      token.status === 'ok'
        ? 'the server has no session: create one with sjp connect URL --session new'
        : 'the server did not accept the request';
    return [http, clock, token, skipped('stream', why), skipped('websocket', why), await roundTrip(target)];
  }
  return [
    http,
    clock,
    token,
    await streamCheck(target, session),
    await upgradeCheck(target, session),
    await roundTrip(target),
  ];
}

function authorization({ token }: ServerTarget): Readonly<Record<string, string>> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function httpCheck({ httpVersion, status, text, headMs, headers }: Answer): Check {
  const by = [headers['server'], headers['via']].filter((name) => typeof name === 'string').join(', ');
  const found = `HTTP/${httpVersion} ${status} after ${Math.ceil(headMs)} ms${by === '' ? '' : `, by ${by}`}`;
  if (httpVersion === '1.0') {
    const advice =
      'configure the proxy to use HTTP/1.1 with its clients and with the server, in nginx with proxy_http_version 1.1';
    return failed('http', 'http-1.0', `${found}: a proxy speaks HTTP/1.0, which cannot carry an event stream`, advice);
  }
  const isRefusal = status === 401 || status === 403;
  if (!isRefusal && !isSessionServer(status, text)) {
    const advice =
      'correct the path: give the address without /v1/code/sessions, such as https://box.example or https://box.example/base';
    return failed('http', 'wrong-path', `${found}: no session server answers at this address`, advice);
  }
  if (status >= 500) return failed('http', 'server-error', found, 'check the log of the server, and its /readyz');
  return fine('http', found);
}

/** Whether an answer was sent by a session server: it is a list of sessions, or an error in the form that such a server uses. */
function isSessionServer(status: number, text: string): boolean {
  const body = Object(valueOf(text)) as { readonly data?: unknown; readonly error?: unknown };
  return status >= 500 || Array.isArray(body.data) || (status !== 404 && body.error !== undefined);
}

function clockCheck({ headers }: Answer): Check {
  const there = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(there)) return noted('clock', 'the server does not report its time');
  const difference = Date.now() - there;
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return fine('clock', 'within one minute of the clock of the server');
  const minutes = Math.round(Math.abs(difference) / 60_000);
  const amount = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ${difference < 0 ? 'slow' : 'fast'}`;
  const advice = 'set the clock of this machine or of the server, for example with timedatectl set-ntp true';
  return failed(
    'clock',
    'clock-off',
    `the clock of this machine is ${amount}, compared with the clock of the server`,
    advice,
  );
}

function tokenCheck({ status, text }: Answer, { token }: ServerTarget): Check {
  if (status !== 401 && status !== 403)
    return fine('token', token === undefined ? 'no token is needed' : 'the token is accepted');
  const said = Object(Object(valueOf(text)).error) as { readonly message?: unknown };
  const why = typeof said.message === 'string' ? `: ${said.message}` : '';
  if (token === undefined) {
    return failed(
      'token',
      'no-token',
      `no token was sent, and the server answers ${status}${why}`,
      'give the token file with --token-file FILE',
    );
  }
  const advice = 'use the token of the server: the line `token` in its output names the file for --token-file';
  return failed('token', 'wrong-token', `the server refuses the token with ${status}${why}`, advice);
}

function newestSession({ text }: Answer): string | undefined {
  const { data } = Object(valueOf(text)) as { readonly data?: readonly { readonly id?: unknown }[] };
  const id = data?.[0]?.id;
  return typeof id === 'string' ? id : undefined;
}

/**
 * Checks an event stream. A server sends its first bytes immediately, so a stream without bytes is being held back by a program in between, such as a
 * proxy.
 */
async function streamCheck(target: ServerTarget, session: string): Promise<Check> {
  const name = 'stream';
  const url = new URL(`${sessionUrl(target.base, session)}/events/stream`);
  const headers = { ...authorization(target), accept: 'text/event-stream' };
  const held = (what: string) =>
    failed(
      name,
      'buffering-proxy',
      `${what} within ${target.timeoutMs / 1000} s: a proxy buffers the stream`,
      'switch off buffering for this address, in nginx with proxy_buffering off, or in a CDN with its setting for streams',
    );
  try {
    const {
      status,
      headers: answered,
      firstByteMs,
    } = await probe({ url, headers, isStream: true, timeoutMs: target.timeoutMs });
    const type = answered['content-type'] ?? 'no type';
    if (status === 404)
      return failed(name, 'no-session', `the session ${session} does not exist`, 'correct the id of the session');
    if (status !== 200 || !type.startsWith('text/event-stream')) {
      return failed(
        name,
        'no-stream',
        `the answer has the status ${status} and the type ${type}`,
        'check the proxy in front of the server, which changes the answer',
      );
    }
    if (firstByteMs === undefined) return held('no byte arrived');
    return fine(name, `the first byte arrived after ${Math.ceil(firstByteMs)} ms`);
  } catch {
    return held('no answer arrived');
  }
}

async function upgradeCheck(target: ServerTarget, session: string): Promise<Check> {
  const url = new URL(`${target.base}/v1/sessions/ws/${session}/subscribe`);
  const headers = {
    ...authorization(target),
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': btoa(String.fromCodePoint(...crypto.getRandomValues(new Uint8Array(16)))),
  };
  const advice =
    'let the proxy forward the headers Upgrade and Connection, or use event streams: sjp connect --prefer sse';
  try {
    const { status, headMs } = await probe({ url, headers, timeoutMs: target.timeoutMs });
    if (status === 101) return fine('websocket', `the server accepts a WebSocket after ${Math.ceil(headMs)} ms`);
    return failed(
      'websocket',
      'upgrade-refused',
      `the server answers the WebSocket upgrade with status ${status}`,
      advice,
    );
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
    return failed('websocket', 'upgrade-refused', `the server does not answer the WebSocket upgrade: ${why}`, advice);
  }
}

const ROUNDS = 3;

async function roundTrip(target: ServerTarget): Promise<Check> {
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const url = new URL(`${target.base}/healthz`);
      times.push((await probe({ url, timeoutMs: target.timeoutMs })).headMs);
    }
  } catch {
    return noted('round trip', 'the server did not answer at /healthz');
  }
  return fine('round trip', `${Math.ceil(Math.min(...times))} ms, the shortest of ${ROUNDS}`);
}

function valueOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
