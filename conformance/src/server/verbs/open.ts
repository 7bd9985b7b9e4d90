import { startFaultProxy } from '@proto/testkit';
import { nameIn, type Step } from '@proto/testkit/steps';

import { credentialOf, type ServerScope, targetOf } from '../server-scope.ts';
import { openSocket } from './open-socket.ts';
import { openStream } from './open-stream.ts';
import type { Opening } from './opening.ts';

/** Runs `open: NAME`: opens an event stream or a WebSocket. The new party becomes the default party. */
export async function open(step: Step, scope: ServerScope): Promise<void> {
  const name = scope.variables.fillText(step['open']);
  const credential = credentialOf(step, scope);
  const opening: Opening = {
    name,
    base: await addressFor(name, step['proxied'] === true, scope),
    credential,
    session: nameIn(step, 'to') ?? targetOf(step, credential, scope),
    isWorker: credential.worker !== undefined || step['side'] === 'worker',
    from: cursorOf(step, scope),
  };
  const link =
    step['over'] === 'websocket' ? await openSocket(step, opening, scope) : await openStream(step, opening, scope);
  if (link === undefined) return;
  scope.links.set(name, link);
  scope.parties.set(name, link);
  scope.defaultParty = name;
}

/** The address of a proxy if the party's link will be cut. */
async function addressFor(name: string, isProxied: boolean, scope: ServerScope): Promise<string> {
  if (!isProxied) return scope.base;
  const proxy = scope.proxies.get(name) ?? (await startFaultProxy(scope.base));
  scope.proxies.set(name, proxy);
  return proxy.url;
}

/** `from` is a number, or the name of a party whose cursor is used. */
function cursorOf({ from }: Step, scope: ServerScope): number | undefined {
  if (from === undefined) return undefined;
  const party = typeof from === 'string' ? scope.links.get(from) : undefined;
  return party === undefined ? Number(scope.variables.fill(from)) : party.cursor;
}
