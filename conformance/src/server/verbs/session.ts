import { isObject, nameIn, type Step, StepFailure } from '@proto/testkit/steps';

import type { Exchange } from '../observed.ts';
import { type ServerScope, sessionOf, stepOf } from '../server-scope.ts';
import { sendHttp } from './exchange.ts';

/** Runs `session: NAME`: creates a session in the way that the profile describes. */
export async function makeSession(step: Step, scope: ServerScope): Promise<void> {
  const name = String(step['session']);
  const { session } = scope.profile;
  if ('ids' in session) {
    const id = scope.takeSession();
    if (id === undefined)
      throw new Error('The profile has no unused sessions left. Add more session ids to the profile.');
    return noteSession(name, id, scope);
  }
  noteSession(name, String(await ask(stepOf(session.request), session.id, scope)), scope);
}

function noteSession(name: string, id: string, { sessions, observed }: ServerScope): void {
  sessions.set(name, id);
  observed.sessions.add(id);
}

/** Runs `worker: NAME`: a worker claims the lease of a session. */
export async function takeLease(step: Step, scope: ServerScope): Promise<void> {
  const name = String(step['worker']);
  const { worker } = scope.profile.tokens;
  const session = sessionOf(step, scope);
  if (typeof worker === 'string') {
    scope.workers.set(name, { token: worker, epoch: 0, session });
    const epoch = await ask({ http: 'POST S/worker/register', body: {}, role: name }, 'worker_epoch', scope);
    scope.workers.set(name, { token: worker, epoch, session });
  } else {
    const asked = { ...stepOf(worker.request), ...(step['in'] !== undefined && { in: step['in'] }) };
    const token = String(await ask(asked, worker.token, scope));
    scope.workers.set(name, { token, epoch: scope.variables.get(`answer-of-profile.body.${worker.epoch}`), session });
  }
  scope.variables.bind(name, scope.workers.get(name));
}

/** Runs `register: NAME`: a worker claims the lease again with its existing token. */
export async function register(step: Step, scope: ServerScope): Promise<void> {
  const name = String(step['register']);
  const epoch = await ask({ http: 'POST S/worker/register', body: {}, role: name }, 'worker_epoch', scope);
  const worker = scope.workers.get(name);
  if (worker !== undefined) scope.workers.set(name, { ...worker, epoch });
  scope.variables.bind(name, scope.workers.get(name));
}

/** Runs `archive: NAME`: archives a session. With `status`, the server may refuse the request. */
export async function archive(step: Step, scope: ServerScope): Promise<void> {
  const began = performance.now();
  const { archive: name, ...how } = step;
  await sendHttp({ ...stepOf(scope.profile.archive), ...how, in: name }, scope);
  if (step['status'] !== undefined) return;
  scope.observed.archived.set(sessionOf({ in: name }, scope), { began, ended: performance.now() });
}

/** Runs `restart: {}`: the server stops and starts again, in the way that the profile describes. */
export async function restart(_: Step, scope: ServerScope): Promise<void> {
  const { restart: template } = scope.profile;
  if (template === undefined) throw new Error('The profile does not say how the server is restarted.');
  await sendHttp(stepOf(template), scope);
}

async function ask(step: Step, path: string, scope: ServerScope): Promise<unknown> {
  await sendHttp({ ...step, as: 'answer-of-profile' }, scope);
  const { body } = scope.variables.get('answer-of-profile') as Exchange;
  const value = isObject(body) ? scope.variables.get(`answer-of-profile.body.${path}`) : undefined;
  if (value === undefined) {
    throw new StepFailure(`The answer to ${nameIn(step, 'http')} does not contain "${path}".`, {
      expected: path,
      got: body,
    });
  }
  return value;
}
