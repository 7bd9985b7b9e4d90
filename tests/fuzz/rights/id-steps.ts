import { nameOf } from '../server/accounts.ts';
import { answerTo } from './forbidden.ts';
import { resultsOf } from './entry-results.ts';
import { pick } from './spelling.ts';
import type { Step } from './step.ts';

/** Steps that reuse the ids of events: no sender can suppress an event of another sender by its id. */
export const ID_STEPS: Readonly<Record<string, Step>> = {
  'ids-to-come': async (room, random, step) => {
    // The ids of a worker are a prefix and a counter, which every reader can see.
    const prefix = `worker-${room.unique()}`;
    const ids = Array.from({ length: 4 }, (_, index) => `${prefix}-${index}`);
    const role = pick(random, ['approver', 'driver'] as const);
    const isOpen = random() < 0.5;
    const payloads = [];
    for (const uuid of ids) payloads.push(answerTo(isOpen ? await room.ask(step) : `not-open-${uuid}`, { uuid }));
    const answer = await room.post(step, role, {
      body: JSON.stringify({ events: payloads.map((payload) => ({ payload })) }),
    });
    if (isOpen) room.mustBeKept(step, answer, payloads, 'client', nameOf(role, room.session.number));
    for (const uuid of ids) {
      await room.workerSays(step, {
        type: 'assistant',
        uuid,
        message: { role: 'assistant', content: room.marks.allow() },
      });
    }
  },
  'ids-of-the-worker': async (room, random, step) => {
    const uuid = `said-${room.unique()}`;
    await room.workerSays(step, { type: 'assistant', uuid, message: room.marks.allow() });
    const [reader] = room.readers;
    await reader?.until(() => reader.text.includes(uuid));
    const role = pick(random, ['approver', 'driver'] as const);
    const payload =
      role === 'driver'
        ? { type: 'user', uuid, message: { role: 'user', content: room.marks.allow() } }
        : answerTo(await room.ask(step), { uuid });
    const answer = await room.post(step, role, { body: JSON.stringify({ events: [{ payload }] }) });
    const [result] = resultsOf(answer);
    if (result?.error === undefined) {
      room.found(
        step,
        `a message of a client under an id of the worker is acknowledged`,
        `${JSON.stringify(payload)}\n    ${answer.text}`,
      );
    }
  },
  'ids-of-another-account': async (room, random, step) => {
    const uuid = `prompt-${room.unique()}`;
    await room.driverSays(step, { type: 'user', uuid, message: room.marks.allow() });
    const payload = answerTo(await room.ask(step), { uuid });
    const answer = await room.post(step, 'approver', { body: JSON.stringify({ events: [{ payload }] }) });
    const [result] = resultsOf(answer);
    if (result?.error === undefined) {
      room.found(
        step,
        'a message of an account under an id of another account is acknowledged',
        `${JSON.stringify(payload)}\n    ${answer.text}`,
      );
    }
    if (random() < 0.5) return;
    // If a sender repeats a message after a lost answer, it gets the position of the first copy.
    const again = { type: 'user', uuid, message: 'again' };
    const repeated = await room.post(step, 'driver', { body: JSON.stringify({ events: [{ payload: again }] }) });
    if (resultsOf(repeated)[0]?.duplicate !== true)
      room.found(step, 'a repeated message of the same sender is not called a duplicate', repeated.text);
  },
};
