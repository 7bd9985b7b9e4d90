import assert from 'node:assert/strict';
import { isRecord } from '@proto/core/internal';
import type { PermissionResult } from '@proto/core/messages';
import { defineTransport, incomingMessage, type TransportControl, TransportError } from '@proto/core/transport';
import { quiet, type Scenario } from '@proto/test-support';
import { createHostSession } from '../host-session.ts';
import type { OnDisconnect } from '../permissions/permissions.ts';
import { permission } from '../puppet-agent.test-support.ts';

// One step of a schedule: an event that affects an open permission request, or time for the earlier events to take effect.
const STEPS = [
  'the callback allows',
  'the callback denies',
  'the callback defers',
  'the callback throws',
  'another allows',
  'another denies',
  'the link goes down',
  'the link comes up',
  'the agent takes it back',
  'the agent is gone',
  'time passes',
] as const;
type Step = (typeof STEPS)[number];

// The answer that the agent gets if this event decides; no entry for an event that leaves the question open.
const ANSWERS: Readonly<Partial<Record<Step, string>>> = {
  'the callback allows': 'allow',
  'the callback denies': 'deny',
  'the callback throws': 'error',
  'another allows': 'allow',
  'another denies': 'deny',
  'the agent takes it back': 'none',
  'the agent is gone': 'none',
};

const ALLOW: PermissionResult = { behavior: 'allow' };
const DENY: PermissionResult = { behavior: 'deny', message: 'no' };

/** Runs one schedule through a host session and returns the outcome with all counts. */
async function race(steps: readonly Step[], onDisconnect: OnDisconnect) {
  const answers: string[] = [];
  let control!: TransportControl;
  const transport = defineTransport('scripted', (given) => {
    control = given;
    given.opened();
    return {
      write(batch) {
        for (const { text } of batch.messages()) {
          const { type, response } = JSON.parse(text) as { type: string; response?: { response?: unknown } };
          if (type !== 'control_response') continue;
          const payload = response?.response;
          answers.push(isRecord(payload) ? String(payload['behavior']) : 'error');
        }
      },
      close: () => given.closed(),
      abort: () => given.closed(),
    };
  });
  let decide: (result: PermissionResult | null) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const session = createHostSession(transport, {
    onDisconnect,
    canUseTool: () =>
      new Promise<PermissionResult | null>((resolve, reject) => {
        decide = resolve;
        fail = reject;
      }),
  });
  const receive = (frame: object) => control.receive([incomingMessage(JSON.stringify(frame))]);
  const link = (state: 'down' | 'up') => control.receive([{ kind: 'link', state, attempt: 1 }]);
  receive(permission('R1'));
  await quiet();
  let accepted = 0;
  const another = (result: PermissionResult) => {
    if (session.respond('R1', result)) accepted++;
  };
  const actions: Readonly<Record<Step, () => unknown>> = {
    'the callback allows': () => decide(ALLOW),
    'the callback denies': () => decide(DENY),
    'the callback defers': () => decide(null),
    'the callback throws': () => fail(new Error('broken')),
    'another allows': () => another(ALLOW),
    'another denies': () => another(DENY),
    'the link goes down': () => link('down'),
    'the link comes up': () => link('up'),
    'the agent takes it back': () => receive({ type: 'control_cancel_request', request_id: 'R1' }),
    'the agent is gone': () => control.closed(new TransportError('lost', 'gone')),
    'time passes': quiet,
  };
  // The last two steps always settle the question.
  for (const step of [...steps, 'the agent takes it back', 'time passes'] as const) {
    const effect = actions[step]();
    if (step === 'time passes') await effect;
  }
  const late = session.respond('R1', ALLOW);
  const { questions } = session.state;
  session.abort();
  await session.closed;
  return { answers, accepted, late, questions };
}

/** The deciding steps in order: a callback that has returned cannot decide again, and `deny` decides when the link goes down. */
function deciders(steps: readonly Step[], onDisconnect: OnDisconnect): string[] {
  let hasReturned = false;
  return [...steps, 'the agent takes it back' as const].flatMap((step) => {
    if (step === 'the link goes down') return onDisconnect === 'deny' ? ['deny'] : [];
    if (step.startsWith('the callback')) {
      if (hasReturned) return [];
      hasReturned = true;
    }
    return ANSWERS[step] ?? [];
  });
}

/** One question with several parallel deciders: at most one answer, and only an answer of one of the deciders. */
export function questionRace(onDisconnect: OnDisconnect): Scenario<Step> {
  return {
    name: `question race, ${JSON.stringify(onDisconnect)} on disconnect`,
    steps: STEPS,
    maxSteps: 8,
    async run(schedule) {
      const { answers, accepted, ...end } = await race(schedule, onDisconnect);
      assert.deepEqual(end, { late: false, questions: 0 });
      assert.ok(accepted <= 1, `${accepted} answers by respond were accepted`);
      assert.ok(answers.length <= 1, `${answers.length} answers were sent`);
      const [answer = 'none'] = answers;
      const candidates = deciders(schedule, onDisconnect);
      assert.ok(candidates.includes(answer), `${answer}, not one of ${candidates.join(', ')}`);
    },
  };
}

/** The same with time between the steps: the first decider decides. */
export function questionOrder(onDisconnect: OnDisconnect): Scenario<Step> {
  return {
    name: `question order, ${JSON.stringify(onDisconnect)} on disconnect`,
    steps: STEPS,
    maxSteps: 6,
    async run(schedule) {
      const { answers } = await race(
        schedule.flatMap((step) => [step, 'time passes'] as const),
        onDisconnect,
      );
      assert.equal(answers[0] ?? 'none', deciders(schedule, onDisconnect)[0]);
    },
  };
}
