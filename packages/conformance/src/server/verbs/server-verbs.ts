import type { Step } from '../../steps/step.ts';
import type { ServerScope } from '../server-scope.ts';
import { check } from './check.ts';
import { post, sendHttp } from './exchange.ts';
import { close, cut, expectClose, expectNumbers, pause, ping, resume } from './links.ts';
import { open } from './open.ts';
import { archive, atOnce, makeSession, register, repeat, restart, takeLease } from './session.ts';

/** The verbs of cases of servers, beside the common ones. */
export const serverVerbs: Readonly<Record<string, (step: Step, scope: ServerScope) => Promise<void>>> = {
  session: makeSession,
  worker: takeLease,
  register,
  archive,
  restart,
  open,
  post,
  http: sendHttp,
  cut,
  close,
  ping,
  pause,
  resume,
  check,
  repeat,
  'at-once': atOnce,
  'expect-close': expectClose,
  'expect-numbers': expectNumbers,
};
