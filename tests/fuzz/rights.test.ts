/** Messages that a role may not send reach nobody, and allowed messages are delivered. `pnpm fuzz rights` runs many more schedules. */
import { expect, test } from 'vitest';
import { runRights, scheduleOf } from './rights/run-rights.ts';
import { TRIALS } from './rights/trials.ts';
import { accountList } from './server/accounts.ts';

const LIMIT_MS = 240_000;
const whole = { until: Number.POSITIVE_INFINITY, trials: [] };

test('no role gets past its rights in sessions where every role tries everything', { timeout: LIMIT_MS }, async () => {
  const { sessions, findings } = await runRights({ ...whole, seed: 1, sessions: 6 });
  expect(findings).toEqual([]);
  expect(sessions).toBe(6);
});

test('an approver gains nothing by bodies that two parsers read differently', { timeout: LIMIT_MS }, async () => {
  const kinds = ['approver-post', 'approver-line', 'any-body', 'an-answer'];
  expect((await runRights({ ...whole, seed: 1, sessions: 6, kinds })).findings).toEqual([]);
});

/** Schedules that found a defect once. */
const KNOWN = [
  'sjp.v1 approver-post:616528',
  'bare approver-post:677108',
  'sjp.v1 approver-line:349416',
  'sse any-body:54',
];
test.each(KNOWN)(
  'a schedule that found a defect before finds nothing now: %s',
  { timeout: LIMIT_MS },
  async (schedule) => {
    expect((await runRights({ ...whole, seed: 1, only: schedule.split(' ') })).findings).toEqual([]);
  },
);

test.each(Object.keys(TRIALS))('changed accounts: %s', { timeout: LIMIT_MS }, async (trial) => {
  expect((await runRights({ ...whole, seed: 1, only: ['trial', trial] })).findings).toEqual([]);
});

test('the fuzzer finds a server that takes an approver for a driver, and its schedule reproduces the finding', {
  timeout: LIMIT_MS,
}, async () => {
  const accounts = accountList().map((account) =>
    account.role === 'approver' ? { ...account, role: 'driver' as const } : account,
  );
  const found = await runRights({
    ...whole,
    seed: 1,
    sessions: 2,
    kinds: ['approver-post', 'approver-line'],
    server: { accounts },
  });
  const ofApprovers = found.findings.filter(({ kind }) => kind.includes('of an approver'));
  expect(ofApprovers.length).toBeGreaterThan(5);
  const { kind, schedule } = ofApprovers[0] as (typeof ofApprovers)[number];
  const again = await runRights({ ...whole, seed: 2, only: schedule, server: { accounts } });
  expect(again.findings.map((finding) => finding.kind)).toContain(kind);
});

test('the fuzzer finds a server that takes a viewer for an approver', { timeout: LIMIT_MS }, async () => {
  const accounts = accountList().map((account) =>
    account.role === 'viewer' ? { ...account, role: 'approver' as const } : account,
  );
  const { findings } = await runRights({
    ...whole,
    seed: 1,
    sessions: 1,
    kinds: ['viewer-answer'],
    server: { accounts },
  });
  expect(findings.map(({ kind }) => kind)).toContain('a viewer answers');
});

test('a seed gives the same schedules again', () => {
  const schedules = (seed: number) => Array.from({ length: 20 }, (_, session) => scheduleOf(seed, session));
  expect(schedules(1)).toEqual(schedules(1));
  expect(schedules(1)).not.toEqual(schedules(2));
});
