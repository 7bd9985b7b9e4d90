import assert from 'node:assert/strict';
import type { PermissionResult } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';
import { failure, quiet, type Scenario, success, watchedSignal } from '@proto/test-support';
import { createCanUseTool } from './ask-host.ts';
import { askOwnHooks } from './ask-host.test-support.ts';
import { createPermissionRequests } from './permission-requests.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

// One step of a schedule: an event, or time for the earlier events to take effect.
const STEPS = [
  'host allows',
  'host denies',
  'host fails',
  'host answers nonsense',
  'hook allows',
  'hook denies',
  'hook does not decide',
  'hook breaks',
  'another allows',
  'another denies',
  'the turn is aborted',
  'the input ends',
  'time passes',
] as const;
type Step = (typeof STEPS)[number];

// The decision and its source if this event is the first that decides; no entry for an event that leaves the question open.
const OUTCOMES: Readonly<Partial<Record<Step, string>>> = {
  'host allows': 'allow by host',
  'host denies': 'deny by host',
  'host fails': 'deny by failure',
  'host answers nonsense': 'deny by failure',
  'hook allows': 'allow by hook',
  'hook denies': 'deny by hook',
  'another allows': 'allow by host',
  'another denies': 'deny by host',
  'the turn is aborted': 'deny by failure',
  'the input ends': 'deny by failure',
};

const ALLOW = { behavior: 'allow' } as const;
const DENY = { behavior: 'deny', message: 'no' } as const;

async function race(steps: readonly Step[]) {
  const host = createScriptedHost();
  const { controller, signal, listeners } = watchedSignal();
  let settled = 0;
  let resolved = 0;
  let decide: (result: PermissionResult | undefined) => void = () => {};
  let breakHook: (error: Error) => void = () => {};
  const session = createPermissionRequests({ ...host, onRequestResolved: () => void resolved++ });
  const canUseTool = createCanUseTool({
    session,
    askHooks: askOwnHooks(
      () =>
        new Promise((resolve, reject) => {
          decide = resolve;
          breakHook = reject;
        }),
    ),
    onPermissionSettled: () => void settled++,
  });
  const context = { toolUseID: 'T1', signal };
  const decision = canUseTool('Bash', {}, context);
  const requestId = host.last();
  // An answer of another client, or of the terminal of the agent, is injected.
  const inject = (result: PermissionResult) => void session.answer(success(requestId, result));
  const actions: Readonly<Record<Step, () => unknown>> = {
    'host allows': () => host.answer(ALLOW, requestId),
    'host denies': () => host.answer(DENY, requestId),
    'host fails': () => host.pending.settle(failure(requestId, 'broken')),
    'host answers nonsense': () => host.answer({ behavior: 'maybe' }, requestId),
    'hook allows': () => decide(ALLOW),
    'hook denies': () => decide(DENY),
    'hook does not decide': () => decide(undefined),
    'hook breaks': () => breakHook(new Error('broken')),
    'another allows': () => inject(ALLOW),
    'another denies': () => inject(DENY),
    'the turn is aborted': () => controller.abort(),
    'the input ends': () => host.pending.close(new TransportError('closed', 'ended')),
    'time passes': quiet,
  };
  // The last step always settles the question.
  for (const step of [...steps, 'the turn is aborted'] as const) {
    const effect = actions[step]();
    if (step === 'time passes') await effect;
  }
  const { behavior, decidedBy } = await decision;
  await quiet();
  const waiting = host.pending.size;
  return {
    outcome: `${behavior} by ${decidedBy}`,
    settled,
    resolved,
    waiting,
    cancels: host.cancels().length,
    listeners: listeners(),
  };
}

/** A hook that made no decision cannot decide later. */
function deciders(steps: readonly Step[]): Step[] {
  let hookOpen = true;
  return steps.filter((step) => {
    if (step.startsWith('hook')) {
      if (!hookOpen) return false;
      hookOpen = false;
    }
    return OUTCOMES[step] !== undefined;
  });
}

/** One tool call with several parallel deciders: exactly one outcome, and an allow only if one of them allowed. */
export const permissionRace: Scenario<Step> = {
  name: 'permission race',
  steps: STEPS,
  maxSteps: 8,
  async run(schedule) {
    const { outcome, cancels, ...counts } = await race(schedule);
    assert.deepEqual(counts, { settled: 1, resolved: 1, waiting: 0, listeners: 0 });
    assert.ok(cancels <= 1, `${cancels} cancels were sent`);
    const candidates = [...deciders(schedule), 'the turn is aborted' as const].map((step) => OUTCOMES[step]);
    assert.ok(candidates.includes(outcome), `${outcome}, not one of ${candidates.join(', ')}`);
  },
};

/** The same with time between the steps: the first decider decides. */
export const permissionOrder: Scenario<Step> = {
  name: 'permission order',
  steps: STEPS,
  maxSteps: 6,
  async run(schedule) {
    const [first = 'the turn is aborted'] = deciders(schedule);
    const { outcome, cancels } = await race(schedule.flatMap((step) => [step, 'time passes'] as const));
    assert.equal(outcome, OUTCOMES[first]);
    // The agent sends a cancel to the host exactly if the host is still asking its user.
    assert.equal(cancels, first.startsWith('host') || first === 'the input ends' ? 0 : 1);
  },
};
