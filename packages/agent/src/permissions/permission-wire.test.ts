import { createSession, type RequestHandler, type Session } from '@proto/core';
import { createMemoryPair } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { success } from '@proto/test-support';
import { afterEach, describe, expect, vi } from 'vitest';
import { createHookCallback } from '../hooks/hook-callback.ts';
import { createCanUseTool } from './ask-host.ts';
import { runPermissionHooks } from './permission-hooks.ts';
import { createPermissionRequests } from './permission-requests.ts';

const sessions: Session[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

/** The permission bridge of an agent and a real host, over a transport. */
function setUp(handlers: Readonly<Record<string, RequestHandler>>) {
  const pair = createMemoryPair();
  const host = createSession(pair.host, { handlers });
  const unexpected: unknown[] = [];
  const agent: Session = createSession(pair.agent, {
    onResponse(response, settlement) {
      if (settlement === 'unknown') void requests.unexpected(response);
    },
  });
  const requests = createPermissionRequests({
    session: agent,
    onUnexpectedResponse: (response) => void unexpected.push(response),
  });
  sessions.push(host, agent);
  const hooks = [createHookCallback('hook_0', { session: requests, send: () => {} })];
  const controller = new AbortController();
  const canUseTool = createCanUseTool({
    session: requests,
    askHooks: (call, _ask, context, decide) =>
      runPermissionHooks(hooks, { hook_event_name: 'PermissionRequest', tool_name: call.tool }, context, decide),
  });
  const ask = () => canUseTool('Bash', {}, { toolUseID: 'T1', signal: controller.signal });
  return { host, agent, ask, controller, requests, unexpected };
}

/** A host whose user never answers; returns the signals of its prompts. */
function silentUser() {
  const signals: AbortSignal[] = [];
  const can_use_tool: RequestHandler = (_request, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  return { signals, can_use_tool };
}

const noOpinion: RequestHandler = () => ({});

describe('a permission question over a transport', () => {
  verifies(['PRM-14', 'PERMIT-8'], 'is answered by the user if the hooks make no decision', async () => {
    const allowed = { behavior: 'allow', updatedInput: { command: 'pwd' }, toolUseID: 'T1' };
    const { ask } = setUp({ can_use_tool: () => allowed, hook_callback: noOpinion });
    await expect(ask()).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'host', input: { command: 'pwd' } });
  });

  verifies(['PRM-20', 'PERMIT-2'], 'is denied as a failure, and not by the user, if the host has a bug', async () => {
    const broken = () => {
      throw new Error('callback broke');
    };
    const { ask } = setUp({ can_use_tool: broken, hook_callback: noOpinion });
    await expect(ask()).resolves.toMatchObject({
      behavior: 'deny',
      decidedBy: 'failure',
      message: 'Tool permission request failed: Error: callback broke',
    });
  });

  verifies('HOK-24', 'is cancelled at the host when a hook decides first', async () => {
    const { signals, can_use_tool } = silentUser();
    const decision = { behavior: 'allow' };
    const hook_callback = () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
    const { ask } = setUp({ can_use_tool, hook_callback });
    await expect(ask()).resolves.toMatchObject({ behavior: 'allow', decidedBy: 'hook' });
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });

  verifies('INT-11', 'is cancelled at the host when the turn is aborted', async () => {
    const { signals, can_use_tool } = silentUser();
    const { ask, controller } = setUp({ can_use_tool, hook_callback: noOpinion });
    const decision = ask();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    controller.abort();
    await expect(decision).resolves.toMatchObject({ behavior: 'deny', decidedBy: 'failure' });
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });

  verifies('PERMIT-1', 'is denied when the host leaves', async () => {
    const { can_use_tool } = silentUser();
    const { ask, host } = setUp({ can_use_tool, hook_callback: noOpinion });
    const decision = ask();
    await host.transport.close();
    await expect(decision).resolves.toMatchObject({
      behavior: 'deny',
      decidedBy: 'failure',
      message: 'Tool permission request failed: AbortError: Tool permission stream closed before response received',
    });
  });

  verifies(
    ['CALL-15', 'CALL-17'],
    'is cancelled at the host by an injected answer, and the late answer of the host is ignored',
    async () => {
      let answerLate = (_result: unknown) => {};
      let requestId: unknown;
      const can_use_tool: RequestHandler = (_request, context) => {
        requestId = context.requestId;
        return new Promise((resolve) => {
          answerLate = resolve;
        });
      };
      const { ask, requests, unexpected, host, agent } = setUp({ can_use_tool, hook_callback: noOpinion });
      const decision = ask();
      await vi.waitFor(() => expect(requestId).toBeDefined());
      expect(requests.answer(success(requestId, { behavior: 'deny', message: 'at the terminal' }))).toBe(true);
      await expect(decision).resolves.toMatchObject({ behavior: 'deny', message: 'at the terminal' });
      answerLate({ behavior: 'allow', toolUseID: 'T1' });
      // Some hosts still answer after the cancel, and an answer may name only the tool call.
      await host.emit(success(requestId, { behavior: 'allow', toolUseID: 'T1' }));
      await host.emit(success('of-another-run', { behavior: 'allow', toolUseID: 'T1' }));
      await host.emit(success('nobody-asked', { behavior: 'allow', toolUseID: 'T9' }));
      await vi.waitFor(() => expect(unexpected).toHaveLength(1));
      expect(unexpected).toMatchObject([{ response: { request_id: 'nobody-asked' } }]);
      expect(agent.pending.size).toBe(0);
    },
  );
});
