/** How a host handles the notices of a session server. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import type { HostSessionOptions } from './host-options.ts';
import { permission, request, settled } from './puppet-agent.test-support.ts';
import { remoteHost } from './remote-host.test-support.ts';

type Asked = { readonly signal: AbortSignal };

verifies(
  'PERMIT-17',
  'a question that another client has answered is closed: its signal aborts, and no action is required',
  async () => {
    const states: string[] = [];
    const asked: Asked[] = [];
    const wait = (_: unknown, { signal }: Asked) => {
      asked.push({ signal });
      return new Promise<never>(() => {});
    };
    const callbacks: HostSessionOptions = { canUseTool: wait, onElicitation: wait, dialogs: { choose: wait } };
    const { host, sent, say, notify } = remoteHost({ ...callbacks, onState: ({ session }) => states.push(session) });
    say(
      permission('p1'),
      request('e1', { subtype: 'elicitation', mcp_server_name: 's', message: 'which?' }),
      request('d1', { subtype: 'request_user_dialog', dialog_kind: 'choose', payload: {} }),
    );
    await vi.waitFor(() => expect(host.state).toMatchObject({ session: 'requires_action', questions: 3 }));
    for (const request_id of ['p1', 'e1', 'd1']) {
      notify('control_resolved', { request_id, by: 'somebody', outcome: 'answered' });
    }
    await vi.waitFor(() => expect(host.state).toMatchObject({ session: 'idle', questions: 0 }));
    expect(asked.map(({ signal }) => String(signal.reason))).toEqual(
      Array.from({ length: 3 }, () => 'AbortError: answered elsewhere'),
    );
    expect(host.respond('p1', { behavior: 'allow' })).toBe(false);
    expect(states).toEqual(['requires_action', 'requires_action', 'requires_action', ...states.slice(3)]);
    expect(states.at(-1)).toBe('idle');
    await settled();
    expect(sent.filter(({ type }) => type === 'control_response')).toEqual([]);
    host.abort();
  },
);

verifies('STATE-4', 'a prompt reaches the states that the server reports', async () => {
  const states: string[] = [];
  const { host, notify } = remoteHost({ onPrompt: (uuid, state) => states.push(`${uuid} ${state}`) });
  await host.prompt('go', { uuid: 'U1' }).accepted;
  const update = (event_id: unknown, status: unknown) => notify('delivery_update', { event_id, status });
  for (const status of ['DELIVERY_STATUS_RECEIVED', 'processing', 'toString', 7, 'DELIVERY_STATUS_PROCESSED']) {
    update('U1', status);
  }
  update('unknown', 'received');
  update(undefined, 'received');
  notify('delivery_update', null);
  // Only the agent reports how the turn ended.
  await vi.waitFor(() => expect(states).toEqual(['U1 accepted', 'U1 delivered', 'U1 started']));
  host.abort();
});

verifies('STATE-3', 'a prompt that the server refuses is cancelled, and the session becomes idle', async () => {
  const { host, notify } = remoteHost();
  const [one, two] = [host.prompt('one'), host.prompt('two')];
  await Promise.all([one.accepted, two.accepted]);
  expect(host.state.prompts).toHaveLength(2);
  notify('message_refused', { event_id: one.uuid, error: { type: 'permission_error' } });
  expect(await one.outcome).toBe('cancelled');
  expect([host.state.prompts, two.state]).toEqual([[two.uuid], 'accepted']);
  notify('message_refused', { event_id: two.uuid, error: { type: 'permission_error' } });
  await two.outcome;
  expect(host.state.session).toBe('idle');
  host.abort();
});

test('an unknown notice is not yielded as a message, and changes nothing', async () => {
  const { host, say, notify } = remoteHost();
  notify('unknown_event', { event_id: 'U1' });
  say({ type: 'assistant', message: { content: [] } });
  notify('sources_changed', 'plain');
  const { state } = host;
  for await (const message of host) {
    expect(message.type).toBe('assistant');
    break;
  }
  expect(host.state.questions).toBe(state.questions);
});
