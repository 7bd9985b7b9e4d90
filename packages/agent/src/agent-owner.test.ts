import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, createMemoryPair, flattenIncoming, type Transport, wrapTransport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { AgentHandle } from './agent-options.ts';
import { agentPeer, assistant, user } from './agent-peer.test-support.ts';
import { fakeWorkerLink } from './worker/fake-worker-link.test-support.ts';
import { textOf } from './prompts/prompt.ts';
import { runAgent } from './agent-session.ts';
import type { RunTurn } from './turns/turn.ts';

const results = (messages: readonly WireMessage[]) =>
  messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));

/** An agent and the handle of its owner. */
function owned(options: Parameters<typeof agentPeer>[0] = {}) {
  let handle: AgentHandle | undefined;
  const peer = agentPeer({ ...options, onStart: (agent) => (handle = agent) });
  const owner = async () => {
    await peer.session.request({ subtype: 'mcp_status' });
    if (handle === undefined) throw new Error('not started');
    return handle;
  };
  return { ...peer, owner };
}

describe('a prompt of the owner', () => {
  verifies('AGENT-17', 'runs before a prompt that arrived with the message that caused it', async () => {
    const { host, agent } = createMemoryPair();
    let owner: AgentHandle | undefined;
    let read = 0;
    const outcome = runAgent(agent, {
      runTurn: async function* ({ prompt }) {
        yield assistant(textOf(prompt));
      },
      onStart: (handle) => (owner = handle),
      // This is the time between the first and the second message of the block.
      onMessageType: () => void (++read === 2 && owner?.prepend('between')),
    });
    await host.send(encodeBatch(user('one'), user('two')));
    await host.end();
    const messages: WireMessage[] = [];
    for await (const item of flattenIncoming(host.incoming)) {
      const { message } = item.kind === 'message' ? item.read() : {};
      if (message !== undefined) messages.push(message);
    }
    await outcome;
    expect(results(messages)).toEqual(['one', 'between', 'two']);
  });

  verifies('AGENT-18', 'has its turn without any input', async () => {
    const { rest } = agentPeer({ onStart: ({ prepend }) => prepend('by myself') });
    expect(results(await rest())).toEqual(['by myself']);
  });

  verifies('AGENT-19', 'may come from a running turn, and has its own origin', async () => {
    const origins: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      origins.push(turn.origin?.['kind']);
      if (turn.origin === undefined) turn.prepend([{ type: 'text', text: 'and then' }]);
      yield assistant(textOf(turn.prompt));
    };
    const { session, rest } = agentPeer({ runTurn });
    void session.emit(user('first'));
    void session.emit(user('last'));
    expect(results(await rest())).toEqual(['first', 'and then', 'last', 'and then']);
    expect(origins).toEqual([undefined, 'auto-continuation', undefined, 'auto-continuation']);
  });
});

describe('an injected answer', () => {
  verifies(
    ['CALL-15', 'CALL-17'],
    'decides a permission request, and cancels it under an id if messages have ids',
    async () => {
      const pair = createMemoryPair();
      const ids: unknown[] = [];
      const send: Transport['send'] = (batch, options) => {
        for (const { id, text } of batch.messages()) if (text.includes('control_cancel_request')) ids.push(id);
        return pair.agent.send(batch, options);
      };
      const agent = wrapTransport(pair.agent, { send, hasMessageIds: true });
      let owner: AgentHandle | undefined;
      const runTurn: RunTurn = async function* (turn) {
        yield assistant((await turn.canUseTool('Bash', {}, 'T1')).behavior);
      };
      const outcome = runAgent(agent, {
        runTurn,
        permissions: { promptTool: 'stdio' },
        onStart: (handle) => (owner = handle),
      });
      await pair.host.send(encodeBatch(user('go')));
      const seen: WireMessage[] = [];
      for await (const item of flattenIncoming(pair.host.incoming)) {
        const { message } = item.kind === 'message' ? item.read() : {};
        if (message === undefined) continue;
        seen.push(message);
        if (message.type === 'control_request') {
          const response = { subtype: 'success', request_id: message['request_id'], response: { behavior: 'allow' } };
          expect(owner?.answer({ type: 'control_response', response })).toBe(true);
          expect(owner?.answer({ type: 'control_response', response })).toBe(false);
          await pair.host.send(
            encodeBatch({ type: 'control_response', response: { ...response, response: { behavior: 'deny' } } }),
          );
        }
        if (message.type === 'result') await pair.host.end();
      }
      await outcome;
      expect(seen.at(-1)).toMatchObject({ result: 'allow' });
      expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    },
  );
});

describe('the owner of an agent', () => {
  verifies('WORKER-7', 'gets the state that an earlier worker left, or null', async () => {
    const { owner } = owned();
    await expect((await owner()).restoredWorkerState).resolves.toBeNull();
    const { agent } = createMemoryPair();
    const left = { model: 'the-other' };
    const { link } = fakeWorkerLink(left);
    const worker = wrapTransport(agent, { worker: link });
    const restored = await new Promise((resolve) => {
      void runAgent(worker, {
        runTurn: async function* () {},
        onStart: ({ restoredWorkerState }) => resolve(restoredWorkerState),
      });
    });
    expect(restored).toEqual(left);
  });

  test('knows the id of the session', async () => {
    expect((await owned().owner()).sessionId).toBe('session-1');
  });
});
