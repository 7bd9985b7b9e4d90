import { nameOf } from '../server/accounts.ts';
import { body, entry } from './disguises.ts';
import { answerTo } from './forbidden.ts';
import { resultsOf } from './entry-results.ts';
import { pick } from './spelling.ts';
import type { Step } from './step.ts';

/** Steps that send answers: the first valid answer to an open request counts, and other answers leave no trace. */
export const ANSWER_STEPS: Readonly<Record<string, Step>> = {
  'answer-not-open': async (room, random, step) => {
    const role = pick(random, ['approver', 'driver'] as const);
    const mark = room.marks.forbid(step, 'an answer to a request that is not open');
    const id = pick(random, [`nobody-asked-${room.unique()}`, `ask-${room.unique()}`, '__proto__', 'constructor']);
    const text = body(random, [entry(random, answerTo(id, { x: mark }))]);
    room.marks.describe(mark, role, text);
    const answer = await room.post(step, role, { body: text });
    // A refusal of the whole POST would refuse the other messages in it as well.
    if (answer.status !== 200)
      room.found(step, `an answer to a request that is not open gets ${answer.status}`, answer.text);
  },
  'second-answer': async (room, random, step) => {
    const requestId = await room.ask(step);
    const first = answerTo(requestId, { uuid: `first-${requestId}` });
    const answer = await room.post(step, 'approver', { body: body(random, [entry(random, first)]) });
    room.mustBeKept(step, answer, [first], 'client', nameOf('approver', room.session.number));
    const role = pick(random, ['approver', 'driver'] as const);
    const mark = room.marks.forbid(step, 'a second answer');
    const second = answerTo(requestId, { x: mark, ...(random() < 0.5 && { uuid: `second-${requestId}` }) });
    const text = body(random, [entry(random, second)]);
    room.marks.describe(mark, role, text);
    await room.post(step, role, { body: text });
    // The sender of the first answer may send it again.
    const again = resultsOf(await room.post(step, 'approver', { body: body(random, [entry(random, first)]) }))[0];
    if (again?.duplicate !== true)
      room.found(step, 'a repeated first answer is not reported as a duplicate', JSON.stringify(again));
  },
  'invalid-answer': async (room, random, step) => {
    const requestId = await room.ask(step);
    const mark = room.marks.forbid(step, 'an answer that neither allows nor denies');
    const response = pick(random, [
      { subtype: 'success', request_id: requestId, response: { behavior: 'maybe', x: mark } },
      { subtype: 'success', request_id: requestId, response: { Behavior: 'allow', x: mark } },
      { subtype: 'success', request_id: requestId, x: mark },
      { subtype: 'success', request_id: requestId, response: [{ behavior: 'allow', x: mark }] },
      { subtype: 'Success', request_id: requestId, response: { behavior: 'allow', x: mark } },
      { request_id: requestId, response: { behavior: 'allow', x: mark } },
      { subtype: 'success', request_id: [requestId], response: { behavior: 'allow', x: mark } },
      { subtype: 'success', REQUEST_ID: requestId, response: { behavior: 'allow', x: mark } },
    ]);
    const text = body(random, [entry(random, { type: 'control_response', response })]);
    room.marks.describe(mark, 'POST', text);
    await room.post(step, 'approver', { body: text });
    const valid = answerTo(requestId);
    const answer = await room.post(step, 'approver', { body: body(random, [entry(random, valid)]) });
    room.mustBeKept(step, answer, [valid], 'client', nameOf('approver', room.session.number));
  },
  'answers-of-one-post': async (room, random, step) => {
    const requestId = await room.ask(step);
    const mark = room.marks.forbid(step, 'a second answer of one POST');
    const first = answerTo(requestId);
    const text = body(random, [entry(random, first), entry(random, answerTo(requestId, { x: mark }))]);
    room.marks.describe(mark, 'POST', text);
    const answer = await room.post(step, 'approver', { body: text });
    room.mustBeKept(step, answer, [first], 'client', nameOf('approver', room.session.number));
  },
};
