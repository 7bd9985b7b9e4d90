import { expect, test } from 'vitest';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import type { RunTurn, Turn } from './turn.ts';

const calls: readonly [string, (turn: Turn, wrong: never) => Promise<unknown>][] = [
  ['canUseTool', (turn, wrong) => turn.canUseTool(wrong, {}, 'T1')],
  ['runHooks', (turn, wrong) => turn.runHooks(wrong)],
  ['requestNetworkAccess', (turn, wrong) => turn.requestNetworkAccess(wrong)],
  ['callTool', (turn, wrong) => turn.mcpServers[0]?.callTool(wrong, {}, { toolUseID: 'T1' }) ?? Promise.resolve()],
];

test.each(calls)(
  '%s with an object in place of its name rejects with a TypeError that shows the call',
  async (name, call) => {
    const errors: unknown[] = [];
    const runTurn: RunTurn = async function* (turn) {
      await call(turn, { name: 'Bash' } as never).catch((error: unknown) => errors.push(error));
      yield assistant('done');
    };
    const { session, rest } = agentPeer({ runTurn, mcp: { sdkServers: ['calc'] } });
    void session.emit(user('go'));
    await rest();
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(String(errors[0])).toContain(`not an object: call ${name}(`);
  },
);
