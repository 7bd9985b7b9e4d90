import { parseJson } from '@proto/core/framing';
import type { Fetch, HttpResponse } from '@proto/transport-sse';
import type { RemoteSessionAddress } from './remote-address.ts';

/** The time limit for one answer, including its body, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** If the body of the answer is not a JSON object, `body` is an empty object. */
export interface ServerAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Rejects if no complete answer arrives. */
export type AskServer = (path: string) => Promise<ServerAnswer>;

export interface AskServerOptions {
  /** The token to send. Default: none. */
  readonly token: string | undefined;
  /** The maximum size of all answers together, in bytes. */
  readonly maxBytes: number;
  readonly fetch: Fetch;
}

export function createAskServer({ url, origin }: RemoteSessionAddress, options: AskServerOptions): AskServer {
  const { token, maxBytes, fetch } = options;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let room = maxBytes;
  return async (path) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const headers = { ...authorization, accept: 'application/json', 'anthropic-version': '2023-06-01' };
    const request = { method: 'GET', headers, signal, redirect: 'manual', cache: 'no-store' } as const;
    const unreachable = (error: unknown): never => {
      throw new Error(`the server of the remote session cannot be reached: ${origin} (${reasonOf(error)})`);
    };
    const response = await fetch(`${url}${path}`, request).catch(unreachable);
    const text = await textOf(response, (bytes) => (room -= bytes) >= 0).catch(unreachable);
    if (text === undefined) {
      throw new Error(`the remote session is too large to continue here: more than ${maxBytes} bytes`);
    }
    return { status: response.status, body: objectIn(text) };
  };
}

/** Returns `undefined` if the body exceeds the limit. */
async function textOf({ body }: HttpResponse, fits: (bytes: number) => boolean): Promise<string | undefined> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    if (!fits(next.value.length)) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectIn(text: string): ServerAnswer['body'] {
  try {
    return Object(parseJson(text));
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: { code?: string }; code?: unknown; name?: string };
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return cause?.code ?? (typeof code === 'string' ? code : 'no connection');
}
