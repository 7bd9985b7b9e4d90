import { parseJson } from '@proto/core/framing';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

import { StepFailure } from '@proto/testkit/steps';

import type { Exchange } from './observed.ts';

/** Larger bodies are written in pieces, so that an early refusal is noticed. */
const PIECE_BYTES = 256 * 1024;

/** Runs after the first part of a body was sent. The rest is sent after that. */
export type Meanwhile = () => Promise<void>;

export interface OutgoingRequest {
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly milliseconds: number;
  readonly meanwhile?: Meanwhile | undefined;
  readonly signal: AbortSignal;
}

/** @throws {@link StepFailure} if the answer does not arrive in time, or the request fails */
export async function sendRequest(outgoing: OutgoingRequest): Promise<Exchange> {
  const { method, path, token, body, milliseconds, meanwhile } = outgoing;
  const timeout = AbortSignal.timeout(Math.min(milliseconds, LONGEST_TIMER_MS));
  const began = performance.now();
  const request = openRequest({ ...outgoing, signal: AbortSignal.any([outgoing.signal, timeout]) });
  try {
    const response = answerOf(request);
    await writeBody(request, body, response, meanwhile);
    const answer = await response;
    const text = await textOf(answer);
    const { statusCode: status = 0, headers } = answer;
    const ended = performance.now();
    return { method, path, token, sent: body ?? '', status, headers, text, body: jsonOf(text), began, ended };
  } catch (error) {
    outgoing.signal.throwIfAborted();
    throw new StepFailure(
      timeout.aborted
        ? `The server did not answer ${method} ${path} within ${milliseconds} ms.`
        : `The request ${method} ${path} failed: ${(error as Error).message}.`,
    );
  } finally {
    request.destroy();
  }
}

/** The caller must end the request. */
export function openRequest(outgoing: Omit<OutgoingRequest, 'milliseconds' | 'meanwhile'>): ClientRequest {
  const { base, method, path, token, headers, body, signal } = outgoing;
  const url = /^https?:/.test(path) ? new URL(path) : new URL(base + path);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = open(url, {
    method,
    agent: false,
    signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  request.setNoDelay(true);
  return request;
}

export function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // Errors after the answer concern only the rest of the body.
    request.on('error', reject);
  });
  answer.catch(() => {});
  return answer;
}

/** The place in a body where it is divided: within a character of several bytes, if there is one, so that a server must join the parts. */
function middleOf(bytes: Buffer): number {
  const within = bytes.findIndex((byte) => byte >= 0x80 && byte < 0xc0);
  return within === -1 ? Math.floor(bytes.length / 2) : within;
}

/** Stops if the server answers meanwhile. */
async function writeBody(
  request: ClientRequest,
  body: string | undefined,
  response: Promise<unknown>,
  meanwhile?: Meanwhile,
): Promise<void> {
  if (body === undefined) return void request.end();
  const bytes = Buffer.from(body);
  let isAnswered = false;
  const answered = response.then(
    () => void (isAnswered = true),
    () => void (isAnswered = true),
  );
  const middle = meanwhile === undefined ? 0 : middleOf(bytes);
  const write = async (part: Buffer) => {
    for (let at = 0; at < part.length && !isAnswered; at += PIECE_BYTES) {
      const piece = part.subarray(at, at + PIECE_BYTES);
      await Promise.race([answered, new Promise((resolve) => request.write(piece, resolve))]);
    }
  };
  await write(bytes.subarray(0, middle));
  await meanwhile?.();
  await write(bytes.subarray(middle));
  if (!isAnswered) request.end();
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
