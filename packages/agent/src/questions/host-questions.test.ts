import { TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { watchedSignal } from '@proto/test-support';
import { describe, expect, test } from 'vitest';
import { createSandboxAsk, handleElicitation, SANDBOX_NETWORK_ACCESS } from './host-questions.ts';
import { sendMcpMessage } from '../mcp/host-mcp-server.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

describe('an MCP message', () => {
  verifies(['MCP-7', 'CALL-20'], 'goes to the server in the host, and resolves with its answer', async () => {
    const { pending, bodies, answer } = createScriptedHost();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const;
    const sent = sendMcpMessage(pending, 'calculator', message);
    expect(bodies()).toEqual([{ subtype: 'mcp_message', server_name: 'calculator', message }]);
    const mcp_response = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
    answer({ mcp_response });
    await expect(sent).resolves.toEqual(mcp_response);
  });

  verifies('MCP-7', 'accepts an object or no payload as its answer', async () => {
    const { pending, answer, fail } = createScriptedHost();
    const notify = () => sendMcpMessage(pending, 'calculator', { jsonrpc: '2.0', method: 'notifications/initialized' });
    const acknowledged = notify();
    answer({ mcp_response: 'anything' });
    await expect(acknowledged).resolves.toBe('anything');
    const empty = notify();
    answer(undefined);
    await expect(empty).resolves.toBeUndefined();
    const wrong = notify();
    answer('no object');
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-message' });
    const unknown = notify();
    fail('SDK MCP server not found: calculator');
    await expect(unknown).rejects.toThrow('not found');
  });

  test('is cancelled by its signal', async () => {
    const { pending, cancels, last } = createScriptedHost();
    const { controller, signal } = watchedSignal();
    const sent = sendMcpMessage(pending, 'slow', { jsonrpc: '2.0', id: 1, method: 'tools/call' }, { signal });
    controller.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
    expect(cancels()).toEqual([last()]);
  });
});

describe('an elicitation', () => {
  const question = { mcp_server_name: 'forms', message: 'Your name?', mode: 'form' } as const;
  const ask = (host = createScriptedHost(), { controller, signal } = watchedSignal()) => ({
    ...host,
    controller,
    answered: handleElicitation(host.pending, question, signal),
  });

  verifies('CALL-20', 'goes to the user, and returns each valid answer', async () => {
    for (const result of [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'decline' },
      { action: 'cancel' },
    ]) {
      const { answered, answer, bodies } = ask();
      expect(bodies()).toEqual([{ subtype: 'elicitation', ...question }]);
      answer(result);
      await expect(answered).resolves.toEqual(result);
    }
  });

  verifies(['CALL-20', 'PERMIT-1'], 'is cancelled by an invalid answer or a failure', async () => {
    const failures: ((host: ReturnType<typeof ask>) => unknown)[] = [
      ({ fail }) => fail('no form here'),
      ({ answer }) => answer({ action: 'perhaps' }),
      ({ answer }) => answer({ action: 'accept', content: 'Ada' }),
      ({ answer }) => answer(undefined),
      ({ controller }) => controller.abort(),
      ({ pending }) => pending.close(new TransportError('closed', 'ended')),
    ];
    for (const happen of failures) {
      const host = ask();
      happen(host);
      await expect(host.answered).resolves.toEqual({ action: 'cancel' });
    }
  });
});

describe('a network connection from the sandbox', () => {
  verifies('PERMIT-13', 'is requested under the reserved tool name, with a new id each time', async () => {
    const { pending, bodies, answer } = createScriptedHost();
    const ask = createSandboxAsk({ session: pending });
    const allowed = ask('example.com');
    answer({ behavior: 'allow' });
    await expect(allowed).resolves.toBe(true);
    void ask('example.com');
    const [first, second] = bodies();
    expect(first).toEqual({
      subtype: 'can_use_tool',
      tool_name: SANDBOX_NETWORK_ACCESS,
      input: { host: 'example.com' },
      description: 'Allow network connection to example.com?',
      tool_use_id: expect.any(String),
    });
    expect(second?.['tool_use_id']).not.toBe(first?.['tool_use_id']);
  });

  verifies(['PERMIT-13', 'PERMIT-1'], 'is refused unless the answer allows it', async () => {
    const { controller, signal } = watchedSignal();
    const failures: ((host: ReturnType<typeof createScriptedHost>) => unknown)[] = [
      ({ answer }) => answer({ behavior: 'deny', message: 'no' }),
      ({ answer }) => answer({ behavior: 'maybe' }),
      ({ answer }) => answer({ behavior: 'allow', updatedInput: 'no object' }),
      ({ answer }) => answer(undefined),
      ({ fail }) => fail('broken'),
      ({ pending }) => pending.close(new TransportError('closed', 'ended')),
      () => controller.abort(),
    ];
    for (const happen of failures) {
      const host = createScriptedHost();
      const allowed = createSandboxAsk({ session: host.pending })('example.com', signal);
      happen(host);
      await expect(allowed).resolves.toBe(false);
    }
  });

  test('is reported to the permission callbacks like any other question', async () => {
    const { pending, answer, last } = createScriptedHost();
    const reported: unknown[] = [];
    const ask = createSandboxAsk({
      session: pending,
      onPermissionPrompt: ({ tool, requestId }) => reported.push([tool, requestId]),
      onPermissionSettled: (requestId) => reported.push(requestId),
    });
    const allowed = ask('example.com');
    answer({ behavior: 'allow' });
    await allowed;
    expect(reported).toEqual([[SANDBOX_NETWORK_ACCESS, last()], last()]);
  });
});
