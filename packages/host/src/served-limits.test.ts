import { defineTransport, incomingMessage, type TransportControl, TransportError } from '@proto/core/transport';
import { describe, expect, test, vi } from 'vitest';
import type { HostSessionOptions } from './host-options.ts';
import { createHostSession } from './host-session.ts';
import { hostAndPuppet, permission, settled } from './puppet-agent.test-support.ts';

const refused = { subtype: 'error', error_code: 'too_many_requests' };
const request = (request_id: string, subtype: string) => ({
  type: 'control_request',
  request_id,
  request: { subtype },
});
const cancel = (request_id: string) => ({ type: 'control_cancel_request', request_id });

describe('the open requests of an agent', () => {
  const agent = (options: HostSessionOptions) => hostAndPuppet({ limits: { maxServedRequests: 3 }, ...options });
  const never = () => new Promise<never>(() => {});
  const asks: Readonly<Record<string, (id: string) => object>> = {
    can_use_tool: (id) => permission(id, { tool_use_id: id }),
    hook_callback: (id) => ({ ...request(id, 'hook_callback'), request: hookCall }),
    mcp_message: (id) => ({ ...request(id, 'mcp_message'), request: mcpCall(id) }),
    elicitation: (id) => ({ ...request(id, 'elicitation'), request: { subtype: 'elicitation', message: '?' } }),
    request_user_dialog: (id) => ({ ...request(id, 'dialog'), request: dialog }),
  };
  const hookCall = { subtype: 'hook_callback', callback_id: 'hook_0', input: { hook_event_name: 'Stop' } };
  const dialog = { subtype: 'request_user_dialog', dialog_kind: 'ask', payload: {} };
  const mcpCall = (id: string) => ({
    subtype: 'mcp_message',
    server_name: 'calc',
    message: { jsonrpc: '2.0', id, method: 'tools/call', params: {} },
  });

  test.each(Object.entries(asks))(
    'are limited for %s, even if the agent cancels them while the callback runs',
    async (subtype, ask) => {
      const begun: unknown[] = [];
      const begin = (_: unknown, { requestId }: { requestId: unknown }) => {
        begun.push(requestId);
        return never();
      };
      const calc = {
        async connect(link: { onmessage?: ((message: { id?: unknown }) => void) | undefined }) {
          link.onmessage = ({ id }) => {
            if (id !== undefined && id !== 0 && id !== 1) begun.push(id);
          };
        },
      };
      const { puppet } = agent({
        canUseTool: begin,
        onElicitation: begin,
        dialogs: { ask: begin },
        hooks: { Stop: [{ hooks: [begin] }] },
        mcpServers: subtype === 'mcp_message' ? { calc } : {},
      });
      puppet.say(ask('r0'));
      await vi.waitFor(() => expect(begun).toEqual(['r0']));
      puppet.say(cancel('r0'), ask('r1'), ask('r2'));
      await vi.waitFor(() => expect(begun).toEqual(['r0', 'r1', 'r2']));
      puppet.say(cancel('r1'), ask('r3'));
      await expect(puppet.answer('r3')).resolves.toMatchObject(refused);
      expect(begun).toHaveLength(3);
    },
  );

  test('leave room for others when the callback has returned or `respond` has answered', async () => {
    const returns: ((answer: null) => void)[] = [];
    const canUseTool = vi.fn(() => new Promise<null>((resolve) => returns.push(resolve)));
    const { host, puppet } = agent({ canUseTool });
    puppet.say(permission('r0'), permission('r1'), permission('r2'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledTimes(3));
    host.respond('r0', { behavior: 'deny', message: 'no' });
    await puppet.answer('r0');
    puppet.say(permission('r3'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledTimes(4));
    // An unanswered question counts until it is answered or cancelled.
    returns[1]?.(null);
    puppet.say(permission('r4'));
    await expect(puppet.answer('r4')).resolves.toMatchObject(refused);
    puppet.say(cancel('r1'));
    await settled();
    puppet.say(permission('r5'));
    await vi.waitFor(() => expect(canUseTool).toHaveBeenCalledTimes(5));
  });
});

test('questions that were denied because the link was lost count until their callbacks return', async () => {
  const canUseTool = vi.fn(() => new Promise<never>(() => {}));
  let control!: TransportControl;
  const transport = defineTransport('played', (given) => {
    control = given;
    given.opened();
    return { write: () => {}, close: () => given.closed(), abort: () => given.closed() };
  });
  const session = createHostSession(transport, { canUseTool, onDisconnect: 'deny', limits: { maxServedRequests: 2 } });
  for (const id of ['r0', 'r1', 'r2']) {
    control.receive([
      incomingMessage(JSON.stringify(permission(id))),
      { kind: 'link', state: 'down', attempt: 1, cause: new TransportError('lost', 'gone') },
      { kind: 'link', state: 'up', attempt: 1 },
    ]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(canUseTool).toHaveBeenCalledTimes(2);
  session.abort();
});
