import { verifies } from '@proto/requirements';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { PermissionResult } from '../../messages/permissions.ts';
import { TransportError } from '../../transport/error.ts';
import { createCanUseTool } from './permission-bridge.ts';
import { createPermissionRequests } from './permission-requests.ts';
import { createScriptedHost, failure, success, watchedSignal } from './scripted-host.test-support.ts';

// One step of a schedule: something happens, or what has happened so far takes its effect.
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

// Who decides when this is the first thing to happen, and what. Nothing for what leaves the question open.
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

/** Runs one schedule through a bridge and tells all that came of it. */
async function run(steps: readonly Step[]) {
  const host = createScriptedHost();
  const { controller, signal, listeners } = watchedSignal();
  let settled = 0;
  let resolved = 0;
  let decide: (result: PermissionResult | undefined) => void = () => {};
  let breakHook: (error: Error) => void = () => {};
  const session = createPermissionRequests({ ...host, onControlRequestResolved: () => void resolved++ });
  const canUseTool = createCanUseTool({
    session,
    permissionRequestHooks: () =>
      new Promise((resolve, reject) => {
        decide = resolve;
        breakHook = reject;
      }),
    onPermissionSettled: () => void settled++,
  });
  const context = { toolUseID: 'T1', signal, forcedDecision: { behavior: 'ask' } } as const;
  const decision = canUseTool('Bash', {}, context);
  const requestId = host.last();
  // What another client, or the agent's own terminal, says: it goes in beside the host.
  const inject = (result: PermissionResult) => void session.inject(success(requestId, result));
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
    'time passes': () => new Promise((resolve) => setImmediate(resolve)),
  };
  // The last always ends it, so that no schedule leaves the question open.
  for (const step of [...steps, 'the turn is aborted'] as const) {
    const effect = actions[step]();
    if (step === 'time passes') await effect;
  }
  const { behavior, decidedBy } = await decision;
  await new Promise((resolve) => setImmediate(resolve));
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

/** The first step that decides, among those that count: a hook that has not decided has no second say. */
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

verifies(
  'R-23.1',
  '10 000 random schedules: one outcome each, and an allow only where one was given',
  async () => {
    const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (schedule) => {
        const { outcome, settled, resolved, waiting, cancels, listeners } = await run(schedule);
        expect({ settled, resolved, waiting, listeners }).toEqual({
          settled: 1,
          resolved: 1,
          waiting: 0,
          listeners: 0,
        });
        expect(cancels).toBeLessThanOrEqual(1);
        const candidates = [...deciders(schedule), 'the turn is aborted' as const];
        expect(candidates.map((step) => OUTCOMES[step])).toContain(outcome);
      }),
      { numRuns: 10_000 },
    );
  },
  { timeout: 60_000 },
);

verifies(
  'S2-33',
  '2 000 random schedules with time between the steps: the first to decide has decided',
  async () => {
    const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (schedule) => {
        const [first = 'the turn is aborted'] = deciders(schedule);
        const { outcome, cancels } = await run(schedule.flatMap((step) => [step, 'time passes'] as const));
        expect(outcome).toBe(OUTCOMES[first]);
        // Taken back at the host exactly when the host is still asking somebody.
        expect(cancels).toBe(first.startsWith('host') || first === 'the input ends' ? 0 : 1);
      }),
      { numRuns: 2000 },
    );
  },
  { timeout: 60_000 },
);
