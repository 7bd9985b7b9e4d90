import { cutText } from '@proto/core/framing';
import { isObject, type Scope, servedAnswer } from '@proto/testkit/steps';

import type { AgentProcess } from './agent-process.ts';
import { type AgentFolder, HOST_FLAGS } from './agent-under-test.ts';
import type { AgentStart } from './agent-steps.ts';
import { find } from './probe-agent.ts';
import { member } from './session-log.ts';

export interface AgentScope extends Scope {
  readonly folder: AgentFolder;
  /** Processes that speak the protocol, in the order in which they were started. */
  readonly sessions: AgentProcess[];
  /** The process of the last `run` step. */
  run: AgentProcess | undefined;
}

/** Thrown if the agent did not answer the `initialize` with which each case begins. */
export class NotInitialized extends Error {
  override readonly name = 'NotInitialized';
}

const INITIALIZE_MS = 10_000;
// The minimum time limit for `initialize`: on a busy machine, a process starts slowly however fast the agent is.
const MIN_INITIALIZE_MS = 6000;

/** Sends `initialize` unless the case excludes it. */
export async function startSession(scope: AgentScope, start: AgentStart): Promise<AgentProcess> {
  const filled = (scope.variables.fill(start.args ?? []) as unknown[]).map(String);
  const session = scope.folder.start({
    args: [...(start.flags ?? HOST_FLAGS), ...filled],
    env: start.env,
    served: (message) => servedAnswer(message, scope),
  });
  scope.sessions.push(session);
  scope.parties.set('agent', session);
  if (start.initialize === false) return session;
  scope.requests += 1;
  const members = isObject(start.initialize) ? scope.variables.fill(start.initialize) : {};
  const content = { subtype: 'initialize', ...(members as object) };
  const message = { type: 'control_request', request_id: `request-${scope.requests}`, request: content };
  scope.variables.bind('init', message);
  await session.sendText(`${JSON.stringify(message)}\n`);
  const limit = Math.max(INITIALIZE_MS * scope.timeoutScale, MIN_INITIALIZE_MS);
  const isAnswer = (value: unknown) => member(value, 'response', 'request_id') === message.request_id;
  // Messages that arrive together with the answer stay unread, so that the steps can still read them.
  if ((await find(session, isAnswer, limit)) === undefined)
    throw new NotInitialized(
      `The agent has not answered initialize: ${session.inbox.ended ?? `no answer arrived within ${limit} ms`}.${stderrOf(session)}`,
    );
  return session;
}

/** Returns the process to which a step without `by` applies. */
export function sessionOf(scope: AgentScope): AgentProcess {
  const session = scope.sessions.at(-1);
  if (session === undefined) throw new Error('The case has not started an agent.');
  return session;
}

export function stderrOf({ stderr }: AgentProcess): string {
  const lines = cutText(stderr.trim().split('\n').slice(-3).join('\n'), -500);
  return lines === '' ? '' : ` Its standard error ends with: ${lines}`;
}
