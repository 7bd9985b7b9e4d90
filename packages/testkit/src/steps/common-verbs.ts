import { randomUUID } from 'node:crypto';

import { isObject } from '../json.ts';
import { expectAnswer, sendAnswer, sendCancel, sendRequest, servedAnswer } from './control.ts';
import { expectAll, expectNone, expectOne } from './expect.ts';
import type { Scope } from './scope.ts';
import { bindAs, nameIn, partyOf, send, type Step, type Verb } from './step.ts';

/** The verbs that are available on all sides. Each side adds further verbs. */
export const commonVerbs: Readonly<Record<string, Verb>> = {
  say,
  'say-text': async (step, scope) => {
    await partyOf(step, scope).sendText(scope.variables.fillText(step['say-text']));
  },
  prompt,
  request: sendRequest,
  'expect-answer': expectAnswer,
  answer: sendAnswer,
  cancel: sendCancel,
  serve,
  expect: expectOne,
  'expect-all': expectAll,
  'expect-none': expectNone,
};

async function say(step: Step, scope: Scope): Promise<void> {
  const message = scope.variables.fill(step['say']);
  bindAs(step, message, scope);
  await send(partyOf(step, scope), message);
}

async function prompt(step: Step, scope: Scope): Promise<void> {
  const content = scope.variables.fill(step['prompt']);
  const message = { type: 'user', uuid: randomUUID(), parent_tool_use_id: null, message: { role: 'user', content } };
  bindAs(step, message, scope);
  await send(partyOf(step, scope), message);
}

/**
 * From now on, answers the requests that the step names, by subtype or as `hook_callback/ID`. An answer of `null` ends this for the named request.
 * Also answers requests that arrived after the last message that was read, unless they were already answered.
 */
async function serve(step: Step, scope: Scope): Promise<void> {
  const answers = isObject(step['serve']) ? Object.entries(step['serve']) : [];
  const isNew = answers.some(([name, answer]) => answer !== null && (scope.served.get(name) ?? null) === null);
  for (const [name, answer] of answers) scope.served.set(name, answer);
  // A case has no parties before the program under test is started.
  if (!isNew || !scope.parties.has(nameIn(step, 'by') ?? scope.defaultParty)) return;
  const party = partyOf(step, scope);
  const { received, cursor } = party.inbox;
  for (const { value } of received.slice(cursor)) {
    const answer = isObject(value) && scope.answered.has(value['request_id']) ? undefined : servedAnswer(value, scope);
    if (answer !== undefined) await send(party, answer);
  }
}
