import { randomUUID } from 'node:crypto';

import { isObject } from '../json.ts';
import { expectAnswer, sendAnswer, sendCancel, sendRequest } from './control.ts';
import { expectAll, expectNone, expectOne } from './expect.ts';
import type { Scope } from './scope.ts';
import { bindAs, partyOf, send, type Step, type Verb } from './step.ts';

/** The verbs that all sides have. A side adds its own. */
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
  serve: async ({ serve }, scope) => {
    if (isObject(serve)) for (const [subtype, answer] of Object.entries(serve)) scope.served.set(subtype, answer);
  },
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
