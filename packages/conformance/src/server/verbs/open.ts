import { once } from 'node:events';
import { startFaultProxy } from '@proto/testkit';
import { WebSocket } from 'ws';

import { describeMismatch } from '../../match/mismatch.ts';
import { match } from '../../match/match.ts';
import { bindAs, limitOf, nameIn, type Step } from '../../steps/step.ts';
import { StepFailure } from '../../steps/step-failure.ts';
import type { SocketReading, StreamReading } from '../observed.ts';
import type { LinkParty } from '../parties/link-party.ts';
import { SocketParty } from '../parties/socket-party.ts';
import { StreamParty } from '../parties/stream-party.ts';
import { openRequest } from '../send-request.ts';
import { type Credential, credentialOf, pathOf, type ServerScope, sessionOf } from '../server-scope.ts';
import { postMessage } from './exchange.ts';

/** What an opened link is made of. */
interface Opening {
  readonly name: string;
  readonly base: string;
  readonly credential: Credential;
  readonly session: string;
  readonly isWorker: boolean;
  /** The cursor of the request; `undefined` for a request without one. */
  readonly from: number | undefined;
}

/** `open: NAME`: opens an event stream or a WebSocket. The party becomes the default one. */
export async function open(step: Step, scope: ServerScope): Promise<void> {
  const name = String(step['open']);
  const credential = credentialOf(step, scope);
  const opening: Opening = {
    name,
    base: await addressFor(name, step['proxied'] === true, scope),
    credential,
    session: step['in'] === undefined && credential.worker ? credential.worker.session : sessionOf(step, scope),
    isWorker: credential.worker !== undefined,
    from: cursorOf(step, scope),
  };
  const link = step['over'] === 'websocket' ? await openSocket(step, opening, scope) : await openStream(step, opening, scope);
  if (link === undefined) return;
  scope.links.set(name, link);
  scope.parties.set(name, link);
  scope.defaultParty = name;
}

/** The address of the server for a party: through a proxy, if its link will be cut. */
async function addressFor(name: string, isProxied: boolean, scope: ServerScope): Promise<string> {
  if (!isProxied) return scope.base;
  const proxy = scope.proxies.get(name) ?? (await startFaultProxy(scope.base));
  scope.proxies.set(name, proxy);
  return proxy.url;
}

/** The cursor in `from`: a number, or the name of a party whose cursor it is. */
function cursorOf({ from }: Step, scope: ServerScope): number | undefined {
  if (from === undefined) return undefined;
  const party = typeof from === 'string' ? scope.links.get(from) : undefined;
  return party === undefined ? Number(scope.variables.fill(from)) : party.cursor;
}

async function openStream(step: Step, opening: Opening, scope: ServerScope): Promise<LinkParty | undefined> {
  const { name, credential, session, isWorker, from } = opening;
  const reading: StreamReading = {
    ...{ kind: 'stream', party: name, session, isWorker, from: from ?? 0 },
    ...{ status: 0, headers: {}, frames: [], hasCarriageReturns: false },
  };
  // Frames are checked against the cursor that the server has to use.
  const asked = step['cursor-in'] ?? (isWorker ? 'both' : 'header');
  const query = isWorker && from !== undefined && asked !== 'header' ? `?from_sequence_num=${from}` : '';
  const path = pathOf(isWorker ? 'S/worker/events/stream' : 'S/events/stream', session, scope);
  const request = openRequest({
    base: opening.base,
    method: 'GET',
    path: nameIn(step, 'query') === undefined ? path + query : `${path}?${scope.variables.fillText(step['query'])}`,
    token: credential.token,
    headers: {
      ...{ accept: 'text/event-stream', host: new URL(scope.base).host },
      ...(from !== undefined && asked !== 'query' && { 'last-event-id': String(from) }),
      ...(scope.variables.fill(step['headers'] ?? {}) as Readonly<Record<string, string>>),
    },
    body: undefined,
    signal: scope.signal,
  });
  const party = new StreamParty({
    ...{ name, reading, request, now: scope.now, hearsComments: step['comments'] === true },
    send: (message) => postMessage(message, credential, session, scope),
  });
  const answer = await party.open(limitOf(step, scope));
  const status = answer.statusCode ?? 0;
  bindAs(step, { status, headers: answer.headers }, scope);
  const result = match(step['status'] ?? 200, status, scope.variables);
  if (!result.ok) {
    party.close();
    throw new StepFailure(`The event stream was answered with ${status}, where ${describeMismatch(result.mismatch)}`, {
      expected: step['status'] ?? 200,
      got: status,
    });
  }
  if (status !== 200) {
    party.close();
    return undefined;
  }
  scope.observed.readings.push(reading);
  return party;
}

async function openSocket(step: Step, opening: Opening, scope: ServerScope): Promise<LinkParty> {
  const { name, credential, session, isWorker, from } = opening;
  const { paths } = scope.profile;
  const path = (isWorker ? paths.worker : paths.viewer).replace('ID', session);
  const query = nameIn(step, 'query') ?? (from === undefined ? '' : `from_sequence_num=${from}`);
  const subprotocol = nameIn(step, 'subprotocol');
  const url = opening.base.replace(/^http/, 'ws') + path + (query === '' ? '' : `?${query}`);
  const socket = new WebSocket(url, subprotocol === undefined ? [] : [subprotocol], {
    perMessageDeflate: false,
    headers: {
      host: new URL(scope.base).host,
      ...(credential.token !== undefined && { authorization: `Bearer ${credential.token}` }),
      ...(scope.variables.fill(step['headers'] ?? {}) as Readonly<Record<string, string>>),
    },
  });
  const reading: SocketReading = {
    ...{ kind: 'socket', party: name, session, isWorker, from: from ?? 0 },
    ...{ isNumbered: subprotocol !== undefined, frames: [] },
  };
  const party = new SocketParty({ name, reading, socket, now: scope.now });
  scope.observed.readings.push(reading);
  try {
    const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(limitOf(step, scope))]);
    await once(socket, 'open', { signal });
  } catch (error) {
    socket.terminate();
    scope.signal.throwIfAborted();
    throw new StepFailure(`The server did not open a WebSocket: ${(error as Error).message}.`);
  }
  bindAs(step, { protocol: socket.protocol }, scope);
  return party;
}
