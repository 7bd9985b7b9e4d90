import type { FaultProxy } from '@proto/testkit';
import { isObject, nameIn, type Scope, type Step } from '@proto/testkit/steps';

import type { Observed } from './observed.ts';
import type { LinkParty } from './parties/link-party.ts';
import type { RequestTemplate, ServerProfile } from './server-profile.ts';

export interface CaseWorker {
  readonly token: string;
  readonly epoch: unknown;
  readonly session: string;
}

export interface ServerScope extends Scope {
  readonly profile: ServerProfile;
  /** The address of the server, without a slash at the end. */
  readonly base: string;
  /** The id of each session, by its name in the case. */
  readonly sessions: Map<string, string>;
  readonly workers: Map<string, CaseWorker>;
  readonly links: Map<string, LinkParty>;
  readonly observed: Observed;
  /** Proxies that were started for parties, by the name of the party. */
  readonly proxies: Map<string, FaultProxy>;
  /** Returns a session that has not been used yet, or `undefined`. */
  readonly takeSession: () => string | undefined;
  /** Milliseconds since the start of the case. */
  readonly now: () => number;
}

/** The name of the session of a case, if the case does not name it. */
export const ONLY_SESSION = 's';

export interface Credential {
  readonly token: string | undefined;
  readonly worker: CaseWorker | undefined;
}

/** Returns the credential for the `role` of a step: a role of the profile, a worker of the case, `nobody`, or `{token: TEXT}`. */
export function credentialOf(step: Step, scope: ServerScope): Credential {
  const { role } = step;
  if (isObject(role)) return { token: scope.variables.fillText(role['token']), worker: undefined };
  return credentialOfRole(nameIn(step, 'role') ?? 'driver', scope);
}

function credentialOfRole(role: string, { workers, profile }: ServerScope): Credential {
  const worker = workers.get(role);
  if (worker !== undefined) return { token: worker.token, worker };
  if (role === 'nobody') return { token: undefined, worker: undefined };
  const token = { driver: profile.tokens.driver, approver: profile.tokens.approver, viewer: profile.tokens.viewer }[
    role
  ];
  if (token === undefined)
    throw new Error(`The case has no worker "${role}", and the profile has no token with this name.`);
  return { token, worker: undefined };
}

export function sessionOf(step: Step, { sessions }: ServerScope): string {
  const name = nameIn(step, 'in') ?? ONLY_SESSION;
  const id = sessions.get(name);
  if (id === undefined) throw new Error(`The case has no session "${name}".`);
  return id;
}

/** Returns the session of a request: the session that the step names, the session of the worker, or the only session. */
export function targetOf(step: Step, { worker }: Credential, scope: ServerScope): string {
  return step['in'] === undefined && worker !== undefined ? worker.session : sessionOf(step, scope);
}

/** `S/…` is a path below the session. */
export function pathOf(path: string, session: string, { profile }: ServerScope): string {
  if (path !== 'S' && !/^S[/?]/.test(path)) return path;
  return profile.paths.session.replace('ID', session) + path.slice(1);
}

export function stepOf({ method, path, body, headers, role }: RequestTemplate): Step {
  return { http: `${method} ${path}`, role, ...(body !== undefined && { body }), ...(headers && { headers }) };
}
