import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import { byKeys } from '../../../by-keys.ts';
import { onceFor } from '../../../once-for.ts';
import type { Exchange, Observed } from '../../observed.ts';
import { bodyOf } from '../known-events.ts';
import type { Rule } from '../rule.ts';

type Members = Readonly<Record<string, unknown>>;

interface State {
  readonly external_metadata: Members;
  readonly internal_metadata: Members;
  readonly worker_status?: unknown;
}

const EMPTY: State = { external_metadata: {}, internal_metadata: {} };

/** The rules about the state that a worker reads: it must contain what this worker or an earlier worker reported before. */
export const stateRules: readonly Rule[] = [
  stateRule('state-as-reported', 'WRK-30', false),
  stateRule('state-of-the-earlier-worker', 'WRK-45', true),
];

/** Creates a rule for answers to `GET S/worker`, either for workers that have already reported something or for workers that have not. */
function stateRule(name: string, spec: string, isOfNext: boolean): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const session of observed.sessions) {
        let state: State | undefined = EMPTY;
        let reporter: unknown;
        for (const exchange of requestsFor(session, observed)) {
          const { method, token, body } = exchange;
          if (method === 'PUT') {
            state = reported(state, bodyOf(exchange));
            reporter = token;
          }
          const worker = isObject(body) && isObject(body['worker']) ? body['worker'] : {};
          if (method !== 'GET' || state === undefined || isOfNext !== (reporter !== undefined && reporter !== token))
            continue;
          const wrong = Object.entries(state).find(([member, value]) => isWrong(member, value, worker));
          if (wrong !== undefined)
            yield `GET S/worker returned ${shortJson(worker[wrong[0]])} as ${wrong[0]}, but the worker reported ${shortJson(wrong[1])}.`;
        }
      }
    },
  };
}

/**
 * Returns the accepted requests that report or read the state of a session, in order. Returns an empty list if two of them were in progress at the
 * same time.
 */
function requestsFor(session: string, observed: Observed): readonly Exchange[] {
  const all = (acceptedRequests(observed).get(session) ?? []).toSorted((a, b) => a.began - b.began);
  return all.some(({ began }, at) => at > 0 && began < (all[at - 1]?.ended ?? 0)) ? [] : all;
}

const acceptedRequests = onceFor(({ exchanges }: Observed) =>
  byKeys(exchanges, ({ path, status }) => {
    const session = /\/([^/]+)\/worker$/.exec(path)?.[1];
    return session !== undefined && status >= 200 && status <= 299 ? [session] : [];
  }),
);

/** The answer need not contain the worker's status. */
function isWrong(member: string, value: unknown, worker: Members): boolean {
  return (member !== 'worker_status' || worker[member] !== undefined) && !isDeepStrictEqual(worker[member], value);
}

/** The state after a report; `undefined` after a report whose metadata are not objects, because it may be refused or left out. */
function reported(state: State | undefined, report: unknown): State | undefined {
  if (state === undefined || !isObject(report)) return undefined;
  const { external_metadata = {}, internal_metadata = {}, worker_status } = report;
  if (!isObject(external_metadata) || !isObject(internal_metadata)) return undefined;
  return {
    ...state,
    external_metadata: merged(state.external_metadata, external_metadata),
    internal_metadata: merged(state.internal_metadata, internal_metadata),
    ...(worker_status !== undefined && { worker_status }),
  };
}

function merged(earlier: Members, changes: Members): Members {
  return Object.fromEntries(Object.entries({ ...earlier, ...changes }).filter(([, value]) => value !== null));
}
