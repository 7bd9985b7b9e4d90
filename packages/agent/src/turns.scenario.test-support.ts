import assert from 'node:assert/strict';
import type { WireMessage } from '@proto/core/framing';
import { outcomeOf, quiet, type Scenario } from '@proto/test-support';
import { agentPeer, assistant, user } from './agent-peer.test-support.ts';
import type { RunTurn, Turn } from './turns/turn.ts';

const STEPS = [
  'a prompt',
  'the last prompt again',
  'the turn ends',
  'the last turn takes what waits',
  'the last turn begins a task',
  'the tasks end',
  'an interrupt',
  'an interrupt of all',
  'the last prompt is taken back',
  'a tick',
  'time passes',
] as const;

/** An agent and its prompts: one turn at a time, one end for each prompt, one answer for each request, and an end of the session. */
export const turns: Scenario<(typeof STEPS)[number]> = {
  name: 'turns of an agent',
  steps: STEPS,
  maxSteps: 18,
  async run(schedule) {
    let running = 0;
    let atOnce = 0;
    let endTurn = () => {};
    let inputEnded = false;
    let endTasks = () => {};
    // The turn that began last. It may have ended, because the code of an agent may still use a turn after its end.
    let last: Turn | undefined;
    const runTurn: RunTurn = async function* (turn) {
      last = turn;
      const { signal } = turn;
      atOnce = Math.max(atOnce, ++running);
      try {
        yield assistant('working');
        const ended = new Promise<void>((resolve) => {
          endTurn = resolve;
          signal.addEventListener('abort', () => resolve());
        });
        if (!signal.aborted && !inputEnded) await ended;
        yield assistant('done', signal.aborted ? { aborted: true } : {});
      } finally {
        running--;
      }
    };
    const { session, outcome, rest } = agentPeer({ runTurn });
    const uuids: string[] = [];
    const answers: { readonly now: string | undefined }[] = [];

    const prompt = (uuid: string | undefined) => {
      if (uuid === undefined) return;
      void session.emit(user('go on', { uuid }));
    };
    const ask = (request: { readonly subtype: string; readonly [member: string]: unknown }) => {
      answers.push(outcomeOf(session.request(request).then(() => 'answered')));
    };
    const actions: Readonly<Record<(typeof STEPS)[number], () => unknown>> = {
      'a prompt'() {
        uuids.push(crypto.randomUUID());
        prompt(uuids.at(-1));
      },
      'the last prompt again': () => prompt(uuids.at(-1)),
      'the turn ends': () => endTurn(),
      'the last turn takes what waits': () => void last?.takeQueued(),
      'the last turn begins a task': () =>
        void last?.background({
          description: 'Wait',
          task_type: 'local_bash',
          run: (signal) =>
            new Promise((resolve) => {
              const end = () => resolve({ summary: 'done' });
              const others = endTasks;
              endTasks = () => {
                others();
                end();
              };
              signal.addEventListener('abort', end);
              if (inputEnded) end();
            }),
        }),
      'the tasks end': () => endTasks(),
      'an interrupt': () => ask({ subtype: 'interrupt' }),
      'an interrupt of all': () => ask({ subtype: 'interrupt', cancel_queued: true }),
      'the last prompt is taken back'() {
        const uuid = uuids.at(-1);
        if (uuid !== undefined) ask({ subtype: 'cancel_async_message', message_uuid: uuid });
      },
      'a tick': () => Promise.resolve(),
      'time passes': quiet,
    };
    for (const step of schedule) await actions[step]();
    inputEnded = true;
    endTurn();
    endTasks();
    const said = await rest();
    await outcome;
    await quiet();
    assert.ok(atOnce <= 1, `${atOnce} turns ran at the same time`);
    for (const { now } of answers) assert.equal(now, 'gave "answered"');
    for (const uuid of uuids) checkAccount(uuid, said);
  },
};

/** However often a prompt was sent, it was started at most once and ended exactly once. */
function checkAccount(uuid: string, said: readonly WireMessage[]): void {
  const states = said.filter((message) => message['command_uuid'] === uuid).map((message) => message['state']);
  const count = (...wanted: readonly string[]) => states.filter((state) => wanted.includes(String(state))).length;
  assert.equal(count('queued'), 1);
  assert.ok(count('started') <= 1, 'the prompt was started twice');
  assert.equal(count('completed', 'cancelled'), 1);
  const results = said.filter(({ type, user_message_uuids: answered }) => {
    return type === 'result' && Array.isArray(answered) && answered.includes(uuid);
  });
  assert.ok(results.length <= 1, 'two results name the prompt');
}
