/** What editors send in an unusual order, and what agents do not answer. */
import { client, methods, type SessionUpdate } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair, encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { streamOver } from '../transport-stream.ts';
import { connectEditor } from './connect-editor.ts';

/** An agent that says what a test wants, and reports whether it is connected. */
function startAgent(
  onMessage: (message: WireMessage, say: (message: WireMessage) => Promise<void>) => void = () => {},
) {
  const { agent, host } = createMemoryPair();
  const got: WireMessage[] = [];
  const say = (message: WireMessage) => agent.send(encodeBatch(message));
  const closed = (async () => {
    for await (const item of flattenIncoming(agent.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      if (message === undefined) continue;
      got.push(message);
      const { request, request_id } = message as { request?: { subtype: string }; request_id?: string };
      if (request?.subtype === 'initialize')
        await say({
          type: 'control_response',
          response: { subtype: 'success', request_id, response: { models: [], commands: [] } },
        });
      onMessage(message, say);
    }
  })().catch(() => {});
  const state = { isClosed: false };
  void closed.then(() => (state.isClosed = true));
  return { host, got, say, state };
}

const text = (words: string): WireMessage => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: `m ${words}`, content: [{ type: 'text', text: words }] },
});

/** Connects an editor whose sessions are those of the given function. */
async function editorOf(
  open: () => Transport | Promise<Transport>,
  history: () => Promise<WireMessage[] | undefined> = async () => [],
) {
  const pair = createMemoryPair();
  const texts: string[] = [];
  const transport = async (sessionId: string) => ({ sessionId, transport: await open() });
  connectEditor(pair.agent, {
    sessions: {
      isLocal: true,
      create: () => transport('s1'),
      open: transport,
      conversations: { list: async () => [], read: history, delete: async () => {} },
    },
  });
  const note = ({ params: { update } }: { params: { update: SessionUpdate } }) => {
    if (update.sessionUpdate === 'agent_message_chunk' && 'text' in update.content) texts.push(update.content.text);
  };
  const { agent } = client().onNotification(methods.client.session.update, note).connect(streamOver(pair.host));
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const request = { sessionId: 's1', cwd: '/work', mcpServers: [] };
  return { agent, texts, request, pair, load: () => agent.request(methods.agent.session.load, request) };
}

verifies(
  'EDITOR-5',
  'a session that is loaded twice at the same time has one agent, and each update once',
  async () => {
    const agents: ReturnType<typeof startAgent>[] = [];
    const { load, texts } = await editorOf(async () => {
      const started = startAgent();
      agents.push(started);
      await new Promise((resolve) => setImmediate(resolve));
      return started.host;
    });
    await Promise.all([load(), load()]);
    await vi.waitFor(() => expect(agents.map(({ state }) => state.isClosed)).toEqual([true, false]));
    await agents[1]?.say(text('live'));
    await vi.waitFor(() => expect(texts).toEqual(['live']));
  },
);

test('an agent that starts after the editor has closed the connection is closed', async () => {
  const agent = startAgent();
  let read = () => {};
  const stored = new Promise<WireMessage[]>((resolve) => (read = () => resolve([])));
  const history = vi.fn(() => stored);
  const { load, pair } = await editorOf(() => agent.host, history);
  load().catch(() => {});
  await vi.waitFor(() => expect(history).toHaveBeenCalled());
  await pair.host.close();
  read();
  await vi.waitFor(() => expect(agent.state.isClosed).toBe(true));
});

verifies('EDITOR-5', 'an open session is closed before its conversation is read again', async () => {
  const order: string[] = [];
  const { load } = await editorOf(
    () => {
      const { host } = startAgent();
      void host.closed.then(() => order.push('closed'));
      return host;
    },
    async () => {
      order.push('read');
      return [];
    },
  );
  await load();
  await load();
  expect(order.slice(-2)).toEqual(['closed', 'read']);
});

test('an open session stays open if it is to be loaded without a stored conversation', async () => {
  const agent = startAgent();
  const {
    agent: editor,
    request,
    load,
  } = await editorOf(
    () => agent.host,
    async () => undefined,
  );
  await editor.request(methods.agent.session.new, request);
  await expect(load()).rejects.toMatchObject({ code: -32_002 });
  expect(agent.state.isClosed).toBe(false);
});

test.each(['discarded', 'refused', 'cancelled'])('a prompt that is %s is answered', async (state) => {
  const agent = startAgent((message, say) => {
    if (message.type === 'user') void say({ type: 'command_lifecycle', command_uuid: message['uuid'], state });
  });
  const { agent: editor, request } = await editorOf(() => agent.host);
  await editor.request(methods.agent.session.new, request);
  const prompt = { sessionId: 's1', prompt: [{ type: 'text' as const, text: 'hello' }] };
  expect(await editor.request(methods.agent.session.prompt, prompt)).toEqual({ stopReason: 'cancelled' });
});

test('a message that cannot be converted is left out, and the session goes on', async () => {
  const agent = startAgent();
  const { agent: editor, request, texts } = await editorOf(() => agent.host);
  await editor.request(methods.agent.session.new, request);
  await agent.say({
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'text', text: { toString: 1, valueOf: 1 } }] },
  });
  await agent.say(text('after'));
  await vi.waitFor(() => expect(texts).toEqual(['after']));
});

test('the title of a resumed session stays', async () => {
  const agent = startAgent();
  const { agent: editor, request } = await editorOf(
    () => agent.host,
    async () => [text('before')],
  );
  await editor.request(methods.agent.session.resume, request);
  editor
    .request(methods.agent.session.prompt, { sessionId: 's1', prompt: [{ type: 'text', text: 'go on' }] })
    .catch(() => {});
  await vi.waitFor(() => expect(agent.got.some(({ type }) => type === 'user')).toBe(true));
  expect(JSON.stringify(agent.got)).not.toContain('generate_session_title');
});
