import { runSteps, type Step } from '@proto/testkit/steps';

import type { ServerScope } from '../server-scope.ts';
import { check } from './check.ts';
import { post, sendHttp } from './exchange.ts';
import { close, cut, expectClose, expectNumbers, pause, ping, pong, resume } from './links.ts';
import { open } from './open.ts';
import { archive, makeSession, register, restart, takeLease } from './session.ts';

export const serverVerbs: Readonly<Record<string, (step: Step, scope: ServerScope) => Promise<void>>> = {
  session: makeSession,
  worker: takeLease,
  register,
  archive,
  restart,
  open,
  post: (step, scope) => post(step, scope, meanwhileOf(step, scope)),
  http: (step, scope) => sendHttp(step, scope, meanwhileOf(step, scope)),
  cut,
  close,
  ping,
  pong,
  pause,
  resume,
  check,
  repeat,
  'at-once': atOnce,
  'expect-close': expectClose,
  'expect-numbers': expectNumbers,
};

function meanwhileOf(step: Step, scope: ServerScope) {
  const steps = step['meanwhile'];
  return Array.isArray(steps) ? () => runSteps(steps, scope, serverVerbs) : undefined;
}

/** In the steps, `round` is the number of the round, from 1. */
async function repeat(step: Step, scope: ServerScope): Promise<void> {
  const rounds = Number(scope.variables.fill(step['repeat']));
  for (let round = 1; round <= rounds; round++) {
    scope.variables.bind('round', round);
    await runSteps(step['steps'] as readonly Step[], scope, serverVerbs);
  }
}

async function atOnce(step: Step, scope: ServerScope): Promise<void> {
  const all = (step['at-once'] as readonly Step[]).map((one) => runSteps([one], scope, serverVerbs));
  const failed = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
