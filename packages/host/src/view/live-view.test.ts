/** A view of a session that a host drives. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { assistant, hostAndPuppet, permission, request, result } from '../puppet-agent.test-support.ts';
import { remoteHost } from '../remote-host.test-support.ts';
import { createSessionView, type SessionViewOptions } from './session-view.ts';
import type { Question } from './snapshot.ts';

function viewedHost(options: SessionViewOptions = {}) {
  const view = createSessionView(options);
  const { host, puppet } = hostAndPuppet(view.callbacks);
  const followed = view.follow(host);
  return { view, host, puppet, followed };
}

/** Waits for the question with this id. */
async function questionIn(view: ReturnType<typeof createSessionView>, id: string): Promise<Question> {
  return vi.waitFor(() => {
    const found = view.getSnapshot().questions.find((question) => question.id === id);
    if (found === undefined) throw new Error(`no question ${id}`);
    return found;
  });
}

test('a prompt is shown at once, and its state follows its delivery', async () => {
  const { view, host, puppet, followed } = viewedHost();
  const { uuid } = view.prompt('go', { priority: 'next' });
  expect(view.getSnapshot()).toMatchObject({ status: 'running', queue: [{ id: uuid, content: 'go' }] });
  expect(await puppet.received(({ type }) => type === 'user')).toMatchObject({ uuid, priority: 'next' });
  const reply = assistant('done', { user_message_uuid: uuid });
  puppet.say(reply, result({ user_message_uuids: [uuid] }));
  await vi.waitFor(() => expect(view.getSnapshot().status).toBe('idle'));
  expect(view.getSnapshot().turns).toMatchObject([
    {
      outcome: 'success',
      items: [
        { kind: 'prompt', id: uuid, state: 'done' },
        { kind: 'text', text: 'done' },
      ],
    },
  ]);
  await host.close();
  await followed;
  expect(view.getSnapshot().link).toMatchObject({ state: 'ended', error: undefined });
});

verifies('VIEW-1', 'a prompt whose end arrives together with its turn is shown in its turn', async () => {
  const { view, host, puppet } = viewedHost();
  const { uuid } = view.prompt('go');
  await puppet.received(({ type }) => type === 'user');
  const lifecycle = (state: string) => ({ type: 'command_lifecycle', command_uuid: uuid, state });
  const interrupted = { is_error: true, terminal_reason: 'aborted_streaming', user_message_uuids: [uuid] };
  // The host reports the end of the prompt when it arrives, before the view has read the messages of the turn.
  puppet.say(lifecycle('queued'), result(interrupted), lifecycle('cancelled'));
  await vi.waitFor(() => expect(view.getSnapshot().turns).toHaveLength(1));
  expect(view.getSnapshot()).toMatchObject({ queue: [], turns: [{ items: [{ id: uuid, state: 'cancelled' }] }] });
  host.abort();
});

verifies(
  'VIEW-1',
  'a text that was cut off by a broken link has no hole, although the link is reported earlier',
  async () => {
    const view = createSessionView();
    const { host, say, link } = remoteHost(view.callbacks);
    const event = (body: object) => ({ type: 'stream_event', event: body, parent_tool_use_id: null });
    const delta = (text: string) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    const texts: (string | undefined)[] = [];
    view.subscribe(() => texts.push(view.getSnapshot().streaming[0]?.text));
    void view.follow(host);
    say(event({ type: 'message_start', message: { id: 'm' } }), delta('one '));
    link('down');
    link('up');
    say(delta('three'), assistant('x'));
    await vi.waitFor(() => expect(view.getSnapshot().turns[0]?.items).toHaveLength(1));
    expect(texts).toContain('one ');
    expect(texts).not.toContain('one three');
    host.abort();
  },
);

verifies('VIEW-3', 'a permission is allowed or denied by the functions of its question, once', async () => {
  const { view, host, puppet } = viewedHost();
  puppet.say(permission('r1', { tool_use_id: 'T1' }), permission('r2', { tool_use_id: 'T2' }));
  const [first, second] = [await questionIn(view, 'r1'), await questionIn(view, 'r2')];
  expect(view.getSnapshot().status).toBe('requires_action');
  expect(first).toMatchObject({ kind: 'permission', request: { tool_name: 'Bash', input: { command: 'ls' } } });
  if (first.kind !== 'permission' || second.kind !== 'permission') throw new Error('not a permission');
  expect(first.allow({ updatedInput: { command: 'ls -l' } })).toBe(true);
  expect(first.allow()).toBe(false);
  expect(first.deny()).toBe(false);
  expect(second.deny('not now', { interrupt: true })).toBe(true);
  expect(await puppet.answer('r1')).toMatchObject({
    response: { behavior: 'allow', updatedInput: { command: 'ls -l' } },
  });
  expect(await puppet.answer('r2')).toMatchObject({
    response: { behavior: 'deny', message: 'not now', interrupt: true },
  });
  expect(view.getSnapshot()).toMatchObject({ questions: [], status: 'idle' });
  host.abort();
});

verifies('VIEW-3', 'questions of MCP servers and dialogs are answered', async () => {
  const { view, host, puppet } = viewedHost({ dialogKinds: ['choose'] });
  puppet.say(
    request('e1', { subtype: 'elicitation', mcp_server_name: 's', message: 'which?' }),
    request('d1', { subtype: 'request_user_dialog', dialog_kind: 'choose', payload: {} }),
  );
  const [elicitation, dialog] = [await questionIn(view, 'e1'), await questionIn(view, 'd1')];
  if (elicitation.kind !== 'elicitation' || dialog.kind !== 'dialog') throw new Error('not the expected kinds');
  elicitation.answer({ action: 'accept', content: { which: 'a' } });
  dialog.answer({ behavior: 'completed', result: 7 });
  expect(await puppet.answer('e1')).toMatchObject({ response: { action: 'accept', content: { which: 'a' } } });
  expect(await puppet.answer('d1')).toMatchObject({ response: { behavior: 'completed', result: 7 } });
  host.abort();
});

verifies('VIEW-3', 'a question that the agent withdraws is closed, and its functions do nothing', async () => {
  const { view, host, puppet } = viewedHost();
  puppet.say(permission('r1'));
  const question = await questionIn(view, 'r1');
  puppet.say({ type: 'control_cancel_request', request_id: 'r1' });
  await vi.waitFor(() => expect(view.getSnapshot().questions).toEqual([]));
  expect(question.kind === 'permission' && question.allow()).toBe(false);
  host.abort();
});

verifies('VIEW-3', 'a question that another client has answered is closed', async () => {
  const view = createSessionView();
  const { host, say, notify, sent } = remoteHost(view.callbacks);
  void view.follow(host);
  say(permission('r1'));
  await questionIn(view, 'r1');
  notify('control_resolved', { request_id: 'r1', by: 'somebody', outcome: 'answered' });
  await vi.waitFor(() => expect(view.getSnapshot()).toMatchObject({ questions: [], status: 'idle' }));
  expect(sent.filter(({ type }) => type === 'control_response')).toEqual([]);
  host.abort();
});

test('a session that somebody else has read before is followed from there', async () => {
  const view = createSessionView();
  const { host, puppet } = hostAndPuppet(view.callbacks);
  puppet.say(assistant('before'), result());
  for await (const _ of host.untilResult());
  void view.follow(host);
  const { uuid } = view.prompt('go');
  puppet.say(assistant('after', { user_message_uuid: uuid }), result({ user_message_uuids: [uuid] }));
  await vi.waitFor(() => expect(view.getSnapshot().turns[0]?.outcome).toBe('success'));
  const lost = view.prompt('too late');
  host.abort();
  await expect(lost.outcome).resolves.toBe('lost');
  expect(view.getSnapshot().turns).toMatchObject([{ items: [{ id: uuid, state: 'done' }, { text: 'after' }] }]);
  expect(view.getSnapshot().queue).toMatchObject([{ id: lost.uuid, state: 'lost' }]);
});

test('the link is up when the transport has connected', async () => {
  const { view, host, followed } = viewedHost();
  expect(view.getSnapshot().link.state).toBe('connecting');
  await vi.waitFor(() => expect(view.getSnapshot().link.state).toBe('up'));
  await host.close();
  await followed;
  expect(view.getSnapshot().link.state).toBe('ended');
});

test('an error that ends the session is in the state of the link', async () => {
  const { view, puppet, host, followed } = viewedHost();
  view.prompt('go');
  await puppet.received(({ type }) => type === 'user');
  host.abort();
  await followed;
  expect(view.getSnapshot().link.error).toMatchObject({ code: 'aborted' });
  expect(view.getSnapshot()).toMatchObject({ link: { state: 'ended' }, queue: [{ state: 'lost' }], status: 'idle' });
});

test('a view shows one session, and sends no prompt without one', async () => {
  const { view, host } = viewedHost();
  await expect(view.follow(host)).rejects.toThrow('this view already follows a session');
  expect(() => createSessionView().prompt('hi')).toThrow('call follow(session) first');
  host.abort();
});
