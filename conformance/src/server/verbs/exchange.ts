import { randomUUID } from 'node:crypto';
import { startFaultProxy } from '@proto/testkit';
import {
  bindAs,
  describeMismatch,
  isObject,
  limitOf,
  match,
  nameIn,
  shortJson,
  type Step,
  StepFailure,
} from '@proto/testkit/steps';

import type { Exchange } from '../observed.ts';
import { type Meanwhile, sendRequest } from '../send-request.ts';
import { type Credential, credentialOf, pathOf, type ServerScope, targetOf } from '../server-scope.ts';

const TAKEN_STATUS = { '$at-least': 200, '$at-most': 299 };

interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly credential: Credential;
  readonly meanwhile?: Meanwhile | undefined;
}

/** Runs `http: METHOD PATH`: sends a request with any body. */
export async function sendHttp(step: Step, scope: ServerScope, meanwhile?: Meanwhile): Promise<void> {
  const [method = 'GET', path = 'S'] = scope.variables.fillText(step['http']).split(' ');
  const text = step['text'] === undefined ? undefined : scope.variables.fillText(step['text']);
  const body = step['body'] === undefined ? text : JSON.stringify(scope.variables.fill(step['body']));
  await exchange(step, { method, path, body, credential: credentialOf(step, scope), meanwhile }, scope);
}

/**
 * Runs `post: MESSAGE`, or `post` with a list of messages: sends one POST, as a viewer, or as a worker if `role` is the name of a worker. A string
 * stands for a prompt. With `loses`, the request or its answer is lost in transit.
 */
export async function post(step: Step, scope: ServerScope, meanwhile?: Meanwhile): Promise<void> {
  const credential = credentialOf(step, scope);
  const filled = scope.variables.fill(step['post']);
  const messages = (Array.isArray(filled) ? filled : [filled]).map(messageOf);
  bindAs({ as: step['binds'] }, Array.isArray(filled) ? messages : messages[0], scope);
  const members = isObject(step['entry-members']) ? scope.variables.fill(step['entry-members']) : {};
  const entries = messages.map((payload) => ({ payload, ...(members as object) }));
  const request = postOf(entries, credential, targetOf(step, credential, scope), step, scope);
  await exchange(step, { method: 'POST', ...request, credential, meanwhile }, scope);
}

/** Converts a string to a prompt, in the form that the browser SDK sends. Other values stay unchanged. */
function messageOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return {
    type: 'user',
    uuid: randomUUID(),
    parent_tool_use_id: null,
    session_id: '',
    message: { role: 'user', content: value },
  };
}

export async function postMessage(message: unknown, credential: Credential, session: string, scope: ServerScope) {
  const outgoing = { method: 'POST', ...postOf([{ payload: message }], credential, session, {}, scope), credential };
  expectStatus({}, await request({}, outgoing, scope, scope.base, session), scope);
}

function postOf(events: readonly object[], { worker }: Credential, session: string, step: Step, scope: ServerScope) {
  if (worker === undefined) return { path: 'S/events', body: JSON.stringify({ session_id: session, events }) };
  const epoch = step['epoch'] === undefined ? worker.epoch : scope.variables.fill(step['epoch']);
  return { path: 'S/worker/events', body: JSON.stringify({ worker_epoch: epoch, events }) };
}

async function exchange(step: Step, outgoing: OutgoingRequest, scope: ServerScope): Promise<void> {
  const loses = nameIn(step, 'loses');
  if (loses !== undefined) return loseRequest(loses, step, outgoing, scope);
  const answer = await request(step, outgoing, scope, scope.base);
  bindAs(step, answer, scope);
  expectStatus(step, answer, scope);
  expectPart('body', 'answer', step, answer, scope);
  expectPart('headers', 'answer-headers', step, answer, scope);
}

async function request(
  step: Step,
  { method, path, body, credential, meanwhile }: OutgoingRequest,
  scope: ServerScope,
  base: string,
  session?: string,
): Promise<Exchange> {
  const headers = scope.variables.fill(step['headers'] ?? {}) as Readonly<Record<string, string>>;
  const target = session ?? (path.startsWith('S') ? targetOf(step, credential, scope) : '');
  const answer = await sendRequest({
    base,
    method,
    path: pathOf(path, target, scope),
    token: credential.token,
    // This is the name of the server, even if the request is sent through the suite's proxy.
    headers: { host: new URL(scope.base).host, ...headers },
    body,
    milliseconds: limitOf(step, scope),
    meanwhile,
    signal: scope.signal,
  });
  scope.observed.exchanges.push(answer);
  return answer;
}

/** Sends a request through a proxy that breaks the connection: in the middle of the request, or before the answer. */
async function loseRequest(what: string, step: Step, outgoing: OutgoingRequest, scope: ServerScope): Promise<void> {
  const length = Buffer.byteLength(outgoing.body ?? '');
  const fault =
    what === 'answer' ? { cutAfterAnswerBytes: 0 } : { cutAfterRequestBytes: Math.max(1, Math.floor(length / 2)) };
  await using proxy = await startFaultProxy(scope.base, fault);
  const { method, path, body = '', credential } = outgoing;
  scope.observed.lost.push({ method, path: pathOf(path, targetOf(step, credential, scope), scope), sent: body });
  const answer = await request(step, outgoing, scope, proxy.url).catch((error: unknown) => {
    if (error instanceof StepFailure) return undefined;
    throw error;
  });
  if (answer === undefined) return;
  const asked = `${method} ${path}`;
  throw new Error(`The ${what === 'answer' ? `answer to ${asked}` : `${asked} request`} was not lost.`);
}

function expectStatus(step: Step, answer: Exchange, scope: ServerScope): void {
  const pattern = step['status'] ?? TAKEN_STATUS;
  const result = match(pattern, answer.status, scope.variables);
  if (result.ok) return;
  const said = answer.text === '' ? '' : `: ${shortJson(answer.body ?? answer.text, 200)}`;
  throw new StepFailure(
    `${answer.method} ${answer.path} was answered with the status ${answer.status}: ${describeMismatch(result.mismatch)}${said}`,
    { expected: pattern, got: answer.status },
  );
}

function expectPart(part: 'body' | 'headers', field: string, step: Step, answer: Exchange, scope: ServerScope): void {
  const pattern = step[field];
  if (pattern === undefined) return;
  const result = match(pattern, answer[part], scope.variables);
  if (!result.ok) {
    throw new StepFailure(
      `The answer to ${answer.method} ${answer.path} does not have the expected ${part}: ${describeMismatch(result.mismatch)}`,
      { expected: pattern, got: answer[part] },
    );
  }
  for (const [name, value] of result.bound) scope.variables.bind(name, value);
}
