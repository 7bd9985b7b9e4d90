import { verifies } from '@proto/test-support/verifies';
import { watchedSignal } from '@proto/test-support';
import { describe, expect, test, vi } from 'vitest';
import { chooseCanUseTool, type PermissionSurface } from './tool-permissions.ts';
import type { PermissionPromptTool } from './permission-prompt-tool.ts';
import type { PermissionContext } from './permission-rules.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

const ALLOW = { behavior: 'allow' } as const;

/** The permission check for a flag, with a tool `mcp__ask__user` that can be looked up. */
function setUp(asked: string | PermissionSurface | undefined, tool: PermissionPromptTool = async () => ALLOW) {
  const host = createScriptedHost();
  const watched = watchedSignal();
  const find = vi.fn((name: string) => (name === 'mcp__ask__user' ? tool : undefined));
  const surface = typeof asked === 'object' ? asked : { promptTool: asked };
  const canUseTool = chooseCanUseTool(surface, {
    session: host.pending,
    findPromptTool: find,
    check: ({ tool: name }) => ({ behavior: name === 'Read' ? 'allow' : 'ask' }),
  });
  const ask = (name: string, context: Partial<PermissionContext> = {}) =>
    canUseTool(name, { n: 1 }, { toolUseID: 'T1', signal: watched.signal, ...context });
  return { ...host, ...watched, ask, find };
}

describe('the target of permission questions', () => {
  verifies('PERMIT-4', 'is the host with stdio', async () => {
    const { ask, answer, bodies } = setUp('stdio');
    const decision = ask('Bash');
    await vi.waitFor(() => expect(bodies()).toMatchObject([{ subtype: 'can_use_tool', tool_name: 'Bash' }]));
    answer(ALLOW);
    await expect(decision).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host' });
  });

  verifies(
    ['PERMIT-4', 'PERMIT-1'],
    'is absent without a name: calls that the rules leave open are denied',
    async () => {
      const { ask, frames, find } = setUp(undefined);
      await expect(ask('Read')).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'rules' });
      await expect(ask('Bash')).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'rules' });
      await expect(ask('Bash', { hookDecision: ALLOW })).resolves.toMatchObject({ behavior: 'allow' });
      await expect(ask('Bash', { forcedDecision: ALLOW })).resolves.toMatchObject({ behavior: 'allow' });
      await expect(ask('Read', { forcedDecision: { behavior: 'ask' } })).resolves.toMatchObject({ behavior: 'deny' });
      expect(frames).toEqual([]);
      expect(find).not.toHaveBeenCalled();
    },
  );

  verifies('PERMIT-4', 'is the named tool with another name', async () => {
    const tool = vi.fn<PermissionPromptTool>(async () => JSON.stringify({ ...ALLOW, updatedInput: { n: 2 } }));
    const { ask, frames, signal } = setUp('mcp__ask__user', tool);
    await expect(ask('Read')).resolves.toMatchObject({ decidedBy: 'rules' });
    await expect(ask('Bash')).resolves.toMatchObject({
      behavior: 'allow',
      decidedBy: 'prompt-tool',
      input: { n: 2 },
    });
    expect(tool).toHaveBeenCalledExactlyOnceWith({ tool_name: 'Bash', input: { n: 1 }, tool_use_id: 'T1' }, signal);
    expect(frames).toEqual([]);
  });

  verifies('PERMIT-4', 'is the host or nobody if the option requires it, for any name', async () => {
    const host = setUp({ promptTool: 'mcp__ask__user', prompts: 'host' });
    const decision = host.ask('Bash');
    await vi.waitFor(() => expect(host.bodies()).toMatchObject([{ tool_name: 'Bash' }]));
    host.answer(ALLOW);
    await expect(decision).resolves.toMatchObject({ decidedBy: 'host' });
    for (const promptTool of ['mcp__ask__user', 'stdio']) {
      const nobody = setUp({ promptTool, prompts: 'none' });
      await expect(nobody.ask('Bash')).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'rules' });
      expect([nobody.frames.length, nobody.find.mock.calls.length]).toEqual([0, 0]);
    }
    expect(host.find).not.toHaveBeenCalled();
  });
});

describe('a tool that answers for the user', () => {
  verifies('PERMIT-5', 'is looked up once, at its first use', async () => {
    const { ask, find } = setUp('mcp__ask__user');
    await ask('Read');
    expect(find).not.toHaveBeenCalled();
    await ask('Bash');
    await ask('Bash');
    expect(find).toHaveBeenCalledExactlyOnceWith('mcp__ask__user');
  });

  verifies(['PERMIT-5', 'PERMIT-1'], 'is abandoned when the turn is aborted', async () => {
    const { ask, controller, listeners } = setUp('mcp__ask__user', () => new Promise(() => {}));
    const decision = ask('Bash');
    await vi.waitFor(() => expect(listeners()).toBe(1));
    controller.abort();
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
    expect(listeners()).toBe(0);
  });

  const failures: readonly [string, PermissionPromptTool][] = [
    ['throws', () => Promise.reject(new Error('broken'))],
    ['neither allows nor denies', async () => ({ behavior: 'maybe' })],
    ['returns a text that is not JSON', async () => 'yes'],
    ['returns nothing', async () => undefined],
  ];
  for (const [what, tool] of failures) {
    verifies(['PERMIT-1', 'PERMIT-2'], `allows nothing when it ${what}`, async () => {
      const { ask, listeners } = setUp('mcp__ask__user', tool);
      await expect(ask('Bash')).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure', toolUseID: 'T1' });
      expect(listeners()).toBe(0);
    });
  }

  test('is looked up again if it was not found', async () => {
    const { ask, find } = setUp('mcp__ask__nobody');
    for (let n = 0; n < 2; n++) {
      await expect(ask('Bash')).resolves.toMatchObject({
        behavior: 'deny',
        message: 'Tool permission request failed: Error: permission prompt tool mcp__ask__nobody not found',
      });
    }
    expect(find).toHaveBeenCalledTimes(2);
  });
});
