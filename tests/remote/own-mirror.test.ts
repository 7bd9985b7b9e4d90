/** One session with a host at its stdio and a second host that follows the session remotely. */
import { createSession, type SessionOptions } from '@proto/core';
import { textOf } from '@proto/agent';
import { createMemoryEventLog, type ListenOptions } from '@proto/ingress';
import { verifies } from '@proto/test-support/verifies';
import { startFaultProxy } from '@proto/testkit';
import { createSseTransport } from '@proto/transport-sse';
import { createStdioTransport } from '@proto/transport-stdio';
import { expect, onTestFinished, vi } from 'vitest';
import { startAgent } from './headless-worker.ts';
import { readMessages } from './messages.ts';
import { credentials, newSession, openViewer, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

/** A user who answers permissions on command, and the requests that were withdrawn. */
function approver(by: string) {
  const open = new Map<unknown, () => void>();
  const withdrawn: unknown[] = [];
  const handlers: NonNullable<SessionOptions['handlers']> = {
    can_use_tool({ tool_use_id: id }, { signal }) {
      signal.addEventListener('abort', () => {
        open.delete(id);
        withdrawn.push(id);
      });
      return new Promise((resolve) => {
        open.set(id, () => {
          open.delete(id);
          resolve({ behavior: 'allow', updatedInput: { by } });
        });
      });
    },
  };
  return { open, withdrawn, handlers, answer: () => open.values().next().value?.() };
}

async function start(options: Partial<ListenOptions> = {}) {
  const log = createMemoryEventLog();
  const server = await startIngress(log, 0, options);
  onTestFinished(() => server.close());
  const proxy = await startFaultProxy(server.url);
  onTestFinished(() => proxy.close());
  const id = await newSession(server.url);
  const { worker_jwt: token, worker_epoch: epoch } = await credentials(server.url, id);
  let calls = 0;
  const agent = startAgent(token, {
    process: {
      argv: [
        '--mirror',
        `${proxy.url}/v1/code/sessions/${id}`,
        '--input-format=stream-json',
        '--output-format=stream-json',
        '--verbose',
        '--permission-prompt-tool=stdio',
      ],
      env: { CLAUDE_CODE_WORKER_EPOCH: String(epoch) },
    },
    async *runTurn(turn) {
      const decision = await turn.canUseTool('Bash', {}, `T${++calls}`);
      const by = decision.behavior === 'allow' ? String(decision.input['by']) : decision.behavior;
      const content = [{ type: 'text', text: `${textOf(turn.prompt)} by ${by}` }];
      yield { type: 'assistant', message: { id: 'm', role: 'assistant', content }, parent_tool_use_id: null };
    },
  });
  const here = approver('local');
  const local = createSession(createStdioTransport({ input: agent.stdout, output: agent.stdin }), here);
  const messages = readMessages(local);
  const results = () => messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));
  const prompt = (content: string) =>
    local.emit({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      uuid: crypto.randomUUID(),
    });
  return { server, proxy, id, agent, local, here, messages, results, prompt };
}

verifies(
  'PERMIT-18',
  'either host may decide a permission, even over a link that was cut, and the request is withdrawn from the other host',
  async () => {
    const { server, proxy, id, agent, local, here, results, prompt } = await start();
    await local.request({ subtype: 'initialize' });
    const there = approver('remote');
    const url = `${server.url}/v1/code/sessions/${id}`;
    const viewer = createSession(createSseTransport({ url, credential: () => TOKENS.driver, baseMs: 20 }), there);
    onTestFinished(() => viewer.abort());
    const seen = readMessages(viewer);
    expect(await viewer.request({ subtype: 'initialize' })).toMatchObject({ output_style: 'default' });

    const rounds = [
      [here, there, false],
      [there, here, false],
      [here, there, true],
      [there, here, true],
    ] as const;
    for (const [turn, [first, second, isCut]] of rounds.entries()) {
      await prompt(`turn ${turn}`);
      await until(() => here.open.size === 1 && there.open.size === 1);
      if (isCut) proxy.cut('rst');
      first.answer();
      await until(() => results().length === turn + 1);
      await until(() => second.withdrawn.includes(`T${turn + 1}`));
    }
    expect(results()).toEqual(['turn 0 by local', 'turn 1 by remote', 'turn 2 by local', 'turn 3 by remote']);
    // Both hosts answer at the same time.
    await prompt('both');
    await until(() => here.open.size === 1 && there.open.size === 1);
    here.answer();
    there.answer();
    await until(() => results().length === 5);
    expect(results()[4]).toMatch(/^both by (local|remote)$/);

    const prompts = seen.filter(({ type, isReplay }) => type === 'user' && isReplay === true);
    expect(prompts).toHaveLength(5);
    await local.end();
    expect(await agent.code).toBe(0);
    expect(agent.written.stderr).toBe('');
  },
);

verifies(
  'PERMIT-18',
  'a prompt of the remote host runs, the browser SDK approves its tool call, and the session outlives the remote host',
  async () => {
    const { server, proxy, id, agent, local, here, messages, results, prompt } = await start();
    const canUseTool = vi.fn(async () => ({ behavior: 'allow', updatedInput: { by: 'browser' } }));
    const viewer = openViewer(server.url, id, { canUseTool } as never);
    viewer.prompt('from afar');
    await until(() => results().length === 1);
    expect(results()).toEqual(['from afar by browser']);
    expect(canUseTool).toHaveBeenCalledTimes(1);
    expect(here.withdrawn).toEqual(['T1']);
    expect(messages.filter(({ isReplay }) => isReplay === true)).toMatchObject([{ message: { content: 'from afar' } }]);
    await viewer.close();
    // Another worker takes the session over: the mirror stops, and the local host continues.
    await credentials(server.url, id);
    proxy.cut('rst');
    await until(() => agent.written.stderr !== '');
    expect(agent.written.stderr).toBe(
      'Warning: the mirror of this session has stopped: sse: the session does not belong to this worker: superseded_by_worker\n',
    );
    await prompt('alone');
    await until(() => here.open.size === 1);
    here.answer();
    await until(() => results().length === 2);
    expect(results()[1]).toBe('alone by local');
    await local.end();
    expect(await agent.code).toBe(0);
  },
);

verifies(
  'AGENT-14',
  'a refreshed token is accepted from the local host only, and the remote host goes on following',
  async () => {
    let later = 0;
    const { server, id, local, here, agent, prompt, results } = await start({ now: () => Date.now() + later });
    const url = `${server.url}/v1/code/sessions/${id}`;
    const viewer = createSession(createSseTransport({ url, credential: () => TOKENS.driver, baseMs: 20 }));
    onTestFinished(() => viewer.abort());
    const seen = readMessages(viewer);
    const received = () => seen.flatMap(({ type, result }) => (type === 'result' ? [result] : []));
    const round = async (text: string) => {
      const before = results().length;
      await prompt(text);
      await until(() => here.open.size === 1);
      here.answer();
      await until(() => results().length === before + 1);
    };
    const refresh = (token: string, epoch: number) => ({
      type: 'update_environment_variables',
      variables: { CLAUDE_CODE_SESSION_ACCESS_TOKEN: token, CLAUDE_CODE_WORKER_EPOCH: String(epoch) },
    });
    await viewer.emit(refresh('forged', 99));
    await round('one');
    await until(() => received().length === 1);
    // The token has expired: messages wait for the next token.
    later = 5 * 3_600_000;
    await round('two');
    const { worker_jwt: token, worker_epoch: epoch } = await credentials(server.url, id);
    await local.emit(refresh(token, epoch));
    await round('three');
    await until(() => received().length === 3);
    expect(received()).toEqual(['one by local', 'two by local', 'three by local']);
    await local.end();
    expect(await agent.code).toBe(0);
    expect(agent.written.stderr).toBe('');
  },
);
