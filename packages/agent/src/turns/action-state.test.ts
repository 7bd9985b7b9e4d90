import { verifies } from '@proto/test-support/verifies';
import { success } from '@proto/test-support';
import { describe, expect, test, vi } from 'vitest';
import { createActionState } from './session-state.ts';
import { createCanUseTool } from '../permissions/ask-host.ts';
import { createPermissionRequests } from '../permissions/permission-requests.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

const ALLOW = { behavior: 'allow' } as const;

/** A permission bridge that reports its state, with a hook that the test decides. */
function setUp() {
  const host = createScriptedHost();
  const reports: unknown[] = [];
  const controller = new AbortController();
  const state = createActionState((now, details) => reports.push([now, details?.toolUseID, host.frames.length]));
  const session = createPermissionRequests(host);
  let hookDecides = () => {};
  const canUseTool = createCanUseTool({
    session,
    askHooks: (_call, _ask, _context, decide) =>
      new Promise((resolve) => {
        hookDecides = () => {
          decide(ALLOW);
          resolve();
        };
      }),
    onPermissionPrompt: state.asked,
    onPermissionSettled: state.settled,
  });
  const ask = (toolUseID: string) => canUseTool('Bash', {}, { toolUseID, signal: controller.signal });
  return { ...host, reports, controller, ask, session, hook: () => hookDecides() };
}

describe('the state of a session with questions', () => {
  const settlements: readonly [string, (bridge: ReturnType<typeof setUp>) => unknown, number][] = [
    ['the host', ({ answer }) => answer(ALLOW), 1],
    ['a hook', ({ hook }) => hook(), 2],
    ['an answer from elsewhere', ({ session, last }) => session.answer(success(last(), ALLOW)), 2],
    ['an abort', ({ controller }) => controller.abort(), 2],
  ];
  for (const [who, settle, frames] of settlements) {
    verifies(
      ['TRN-49', 'AGENT-20'],
      `requires action from before a question is sent until ${who} decides`,
      async () => {
        const bridge = setUp();
        const decision = bridge.ask('T1');
        expect(bridge.reports).toEqual([['requires_action', 'T1', 0]]);
        settle(bridge);
        await decision;
        expect(bridge.reports.slice(1)).toEqual([['running', undefined, frames]]);
        // Further decisions on the same question have no effect.
        bridge.answer(ALLOW);
        bridge.hook();
        bridge.controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        expect(bridge.reports).toHaveLength(2);
      },
    );
  }

  verifies('AGENT-20', 'is reported once per question, by the first decision', () => {
    const report = vi.fn();
    const state = createActionState(report);
    state.asked({ tool: 'Bash', input: {}, toolUseID: 'T1', requestId: 'r1' });
    state.settled('r1');
    state.settled('r1');
    state.settled('unknown');
    expect(report.mock.calls.map(([now]) => now)).toEqual(['requires_action', 'running']);
  });

  test('requires action until the last of several questions is decided', async () => {
    const { ask, answer, last, reports } = setUp();
    const first = ask('T1');
    const firstId = last();
    const second = ask('T2');
    answer(ALLOW, firstId);
    await first;
    answer(ALLOW);
    await second;
    expect(reports).toEqual([
      ['requires_action', 'T1', 0],
      ['requires_action', 'T2', 1],
      ['requires_action', 'T2', 2],
      ['running', undefined, 2],
    ]);
  });
});
