import { isDeepStrictEqual } from 'node:util';

import { isObject } from '@proto/testkit/steps';

import type { HostAnswer } from './host-program.ts';
import type { ServedRequest } from './served-requests.ts';

type Members = Readonly<Record<string, unknown>>;

export interface AskedQuestion {
  /** The id of the question, chosen by the adapter. */
  readonly id: unknown;
  readonly kind: string;
  /** The request as the user received it. */
  readonly shown: Members;
  readonly served: ServedRequest;
  /** Undefined if the question was left open. */
  readonly answer: HostAnswer | undefined;
}

const SUBTYPE_OF_KIND: Readonly<Record<string, string>> = {
  permission: 'can_use_tool',
  hook: 'hook_callback',
  elicitation: 'elicitation',
  dialog: 'request_user_dialog',
};

/** A question that does not belong to a request is left out. */
export function askedQuestions(
  events: readonly unknown[],
  served: readonly ServedRequest[],
  answers: ReadonlyMap<unknown, HostAnswer>,
): readonly AskedQuestion[] {
  const left = new Map<unknown, Set<ServedRequest>>();
  for (const request of served) left.set(request.subtype, (left.get(request.subtype) ?? new Set()).add(request));
  const questions: AskedQuestion[] = [];
  for (const event of events) {
    if (!isObject(event) || event['type'] !== 'question') continue;
    const kind = String(event['kind']);
    const shown = isObject(event['request']) ? event['request'] : {};
    const candidates = left.get(SUBTYPE_OF_KIND[kind]) ?? new Set();
    const request =
      firstOf(candidates, (each) => isShownAsSent(shown, each)) ??
      firstOf(candidates, (each) => belongs(kind, shown, each)) ??
      nearest(kind, shown, candidates);
    if (request === undefined) continue;
    candidates.delete(request);
    questions.push({ id: event['id'], kind, shown, served: request, answer: answers.get(event['id']) });
  }
  return questions;
}

/** Looks at no more requests than it must: most questions are about the first one that is left. */
function firstOf(
  requests: Iterable<ServedRequest>,
  is: (request: ServedRequest) => boolean,
): ServedRequest | undefined {
  for (const request of requests) if (is(request)) return request;
  return undefined;
}

/** Whether the user sees a request as it was sent. If so, the question belongs to no other request of the same kind. */
function isShownAsSent(shown: Members, { request }: ServedRequest): boolean {
  const members = Object.entries(shown);
  return members.length > 0 && members.every(([name, value]) => isDeepStrictEqual(value, request[name]));
}

function belongs(kind: string, shown: Members, { request }: ServedRequest): boolean {
  if (kind === 'permission') return shown['tool_use_id'] === request['tool_use_id'];
  if (kind === 'hook') return isDeepStrictEqual(shown['input'], request['input']);
  if (kind === 'dialog') return shown['dialog_kind'] === undefined || shown['dialog_kind'] === request['dialog_kind'];
  return shown['message'] === undefined || shown['message'] === request['message'];
}

/** Returns the request for a hook whose input differs from the question. Such a hook can be found only by its event. */
function nearest(kind: string, { event }: Members, candidates: Iterable<ServedRequest>): ServedRequest | undefined {
  if (kind !== 'hook') return undefined;
  return firstOf(candidates, ({ request: { input } }) => isObject(input) && input['hook_event_name'] === event);
}
