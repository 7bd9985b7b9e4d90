/** Sessions of a server: the transport delivers the whole conversation, and the agent has other hosts. */
import { client, methods, RequestError, type SessionUpdate } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair, encodeBatch, flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, vi } from 'vitest';
import { streamOver } from '../transport-stream.ts';
import { connectEditor } from './connect-editor.ts';

const assistant = (id: string, block: object): WireMessage => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id, role: 'assistant', content: [block] },
});
const text = (words: string) => assistant(`m ${words}`, { type: 'text', text: words });
const prompt: WireMessage = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'a prompt' } };
const call = assistant('m call', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } });
const question = (id: string): WireMessage => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } },
});

/** Opens a session with the given past in an editor of the published library. */
async function opened(method: 'load' | 'resume', past: readonly WireMessage[], caughtUp?: Promise<void>) {
  const events: string[] = [];
  const answers: WireMessage[] = [];
  const editor = createMemoryPair();
  const session = createMemoryPair();
  const say = (...messages: readonly WireMessage[]) => session.agent.send(encodeBatch(...messages));
  void (async () => {
    for await (const item of flattenIncoming(session.agent.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      if (message?.type === 'control_response') answers.push(message);
    }
  })().catch(() => {});
  connectEditor(editor.agent, {
    sessions: {
      isLocal: false,
      create: () => Promise.reject(new Error('not here')),
      async open(sessionId) {
        return { sessionId, transport: session.host, caughtUp: say(...past).then(() => caughtUp) };
      },
      conversations: { list: async () => [], delete: async () => {} },
    },
  });
  const refuse = vi.fn(() => Promise.reject(RequestError.methodNotFound('session/request_permission')));
  const { agent } = client()
    .onNotification(methods.client.session.update, ({ params: { update } }) => void events.push(shown(update)))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      events.push(`asked ${params.toolCall.toolCallId}`);
      return refuse();
    })
    .connect(streamOver(editor.host));
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const request = { sessionId: 's1', cwd: '/work', mcpServers: [] };
  if (method === 'load') await agent.request(methods.agent.session.load, request);
  else await agent.request(methods.agent.session.resume, request);
  events.push('open');
  return { events, say, answers, refuse };
}

function shown(update: SessionUpdate): string {
  if ('toolCallId' in update) return `${update.sessionUpdate} ${update.toolCallId}`;
  if (update.sessionUpdate !== 'user_message_chunk' && update.sessionUpdate !== 'agent_message_chunk')
    return update.sessionUpdate;
  return 'text' in update.content ? update.content.text : update.content.type;
}

verifies(
  'EDITOR-15',
  'the past of a session is sent before the answer to session/load, and what follows is sent',
  async () => {
    const { events, say } = await opened('load', [prompt, text('before')]);
    expect(events).toEqual(['a prompt', 'before', 'open']);
    await say(text('after'));
    await vi.waitFor(() => expect(events).toEqual(['a prompt', 'before', 'open', 'after']));
  },
);

verifies('EDITOR-15', 'messages that only the host uses do not delay the answer to session/load', async () => {
  const state = { type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true };
  const { events } = await opened('load', [state, prompt, state, text('before'), state]);
  expect(events).toEqual(['a prompt', 'before', 'open']);
});

verifies('EDITOR-15', 'increments are left out, because an editor may have missed the ones before them', async () => {
  const { events, say } = await opened('load', []);
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ter' } };
  await say({ type: 'stream_event', parent_tool_use_id: null, event: delta }, text('after'));
  await vi.waitFor(() => expect(events).toEqual(['open', 'after']));
});

verifies('EDITOR-15', 'of the past of a session, session/resume sends the calls without a result', async () => {
  const { events, say } = await opened('resume', [prompt, text('before'), call]);
  await say(text('after'));
  await vi.waitFor(() => expect(events).toEqual(['tool_call t1', 'open', 'after']));
});

verifies('EDITOR-15', 'a conversation that cannot be read to its end is an error of session/load', async () => {
  const broken = Promise.reject(new Error('the server has lost it'));
  await expect(opened('load', [prompt], broken)).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringContaining('the server has lost it'),
  });
});

verifies('EDITOR-16', 'an open permission is asked for after the answer that opens the session', async () => {
  const { events } = await opened('load', [prompt, call, question('r1')]);
  await vi.waitFor(() => expect(events).toEqual(['a prompt', 'tool_call t1', 'open', 'asked t1']));
});

verifies('EDITOR-16', 'a permission stays open if the editor cannot ask for it', async () => {
  const { answers, refuse, say, events } = await opened('load', [call, question('r1')]);
  await vi.waitFor(() => expect(refuse).toHaveBeenCalled());
  await say({ ...question('r2'), request: { subtype: 'x_unknown' } }, text('after'));
  await vi.waitFor(() => expect(events).toContain('after'));
  await vi.waitFor(() => expect(answers).toMatchObject([{ response: { request_id: 'r2' } }]));
});
