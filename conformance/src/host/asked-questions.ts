import { isDeepStrictEqual } from 'node:util';

import { isObject } from '@proto/testkit/steps';

import type { HostAnswer } from './host-program.ts';
import type { ServedRequest } from './served-requests.ts';

type Members = Readonly<Record<string, unknown>>;

/** A question for the user of a host, with the request of the agent from which it came. */
export interface AskedQuestion {
  /** The id of the question, as the adapter has chosen it. */
  readonly id: unknown;
  readonly kind: string;
  /** What the user was told. */
  readonly told: Members;
  readonly served: ServedRequest;
  /** What the user has answered; `undefined` for a question that was left open. */
  readonly answer: HostAnswer | undefined;
}

/** The request of the agent that becomes a question of each kind. */
const SUBTYPES: Readonly<Record<string, string>> = {
  permission: 'can_use_tool',
  hook: 'hook_callback',
  elicitation: 'elicitation',
  dialog: 'request_user_dialog',
};

/** The questions that the user of a host got. One that belongs to no request is left out. */
export function askedQuestions(
  events: readonly unknown[],
  served: readonly ServedRequest[],
  answers: ReadonlyMap<unknown, HostAnswer>,
): readonly AskedQuestion[] {
  const left = new Set(served);
  const questions: AskedQuestion[] = [];
  for (const event of events) {
    if (!isObject(event) || event['type'] !== 'question') continue;
    const kind = String(event['kind']);
    const told = isObject(event['request']) ? event['request'] : {};
    const candidates = [...left].filter(({ subtype }) => subtype === SUBTYPES[kind]);
    const request = candidates.find((each) => belongs(kind, told, each)) ?? nearest(kind, told, candidates);
    if (request === undefined) continue;
    left.delete(request);
    questions.push({ id: event['id'], kind, told, served: request, answer: answers.get(event['id']) });
  }
  return questions;
}

function belongs(kind: string, told: Members, { request }: ServedRequest): boolean {
  if (kind === 'permission') return told['tool_use_id'] === request['tool_use_id'];
  if (kind === 'hook') return isDeepStrictEqual(told['input'], request['input']);
  if (kind === 'dialog') return told['dialog_kind'] === undefined || told['dialog_kind'] === request['dialog_kind'];
  return told['message'] === undefined || told['message'] === request['message'];
}

/** A hook that got another input than that of the request is known by its event alone. */
function nearest(kind: string, { event }: Members, candidates: readonly ServedRequest[]): ServedRequest | undefined {
  if (kind !== 'hook') return undefined;
  return candidates.find(({ request: { input } }) => isObject(input) && input['hook_event_name'] === event);
}
