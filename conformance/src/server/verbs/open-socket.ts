import { once } from 'node:events';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { bindAs, limitOf, nameIn, type Step, StepFailure } from '@proto/testkit/steps';
import { WebSocket } from 'ws';

import type { SocketReading } from '../observed.ts';
import type { LinkParty } from '../parties/link-party.ts';
import { SocketParty } from '../parties/socket-party.ts';
import type { ServerScope } from '../server-scope.ts';
import type { Opening } from './opening.ts';

// A server may ping after each message. By default, the library breaks a connection on which many pings arrive at once.
const UNLIMITED_PONGS = { maxPendingAutoPongs: 0 };

/** A server that refuses a client may accept the upgrade and close the socket afterwards. */
export async function openSocket(step: Step, opening: Opening, scope: ServerScope): Promise<LinkParty> {
  const { name, credential, session, isWorker, from } = opening;
  const { paths } = scope.profile;
  const path = (isWorker ? paths.worker : paths.viewer).replace('ID', session);
  const query = nameIn(step, 'query') ?? (from === undefined ? '' : `from_sequence_num=${from}`);
  const subprotocol = nameIn(step, 'subprotocol');
  const holdsPongs = step['holds-pongs'] === true;
  const url = opening.base.replace(/^http/, 'ws') + path + (query === '' ? '' : `?${query}`);
  const headers = scope.variables.fill(step['headers'] ?? {}) as Readonly<Record<string, string>>;
  const socket = new WebSocket(url, subprotocol === undefined ? [] : [subprotocol], {
    perMessageDeflate: false,
    autoPong: !holdsPongs,
    ...UNLIMITED_PONGS,
    headers: {
      host: new URL(scope.base).host,
      ...(credential.token !== undefined && { authorization: `Bearer ${credential.token}` }),
      ...headers,
    },
  });
  const reading: SocketReading = {
    kind: 'socket',
    party: name,
    session,
    isWorker,
    from: from ?? 0,
    opened: performance.now(),
    isNumbered: subprotocol !== undefined,
    frames: [],
    sent: [],
    receivedBefore: [],
    isAnonymous: credential.token === undefined && headers['authorization'] === undefined,
  };
  const reportsPings = holdsPongs || step['comments'] === true;
  const party = new SocketParty({ name, reading, socket, now: scope.now, reportsPings, holdsPongs });
  scope.observed.readings.push(reading);
  try {
    const signal = AbortSignal.any([
      scope.signal,
      AbortSignal.timeout(Math.min(limitOf(step, scope), LONGEST_TIMER_MS)),
    ]);
    await once(socket, 'open', { signal });
  } catch (error) {
    socket.terminate();
    scope.signal.throwIfAborted();
    throw new StepFailure(`The server did not open a WebSocket: ${(error as Error).message}.`);
  }
  bindAs(step, { protocol: socket.protocol }, scope);
  return party;
}
