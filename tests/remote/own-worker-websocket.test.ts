/** Runs our own agent executable as the worker of a session whose host is at the other end of a WebSocket. */
import { createSession } from '@proto/core';
import { textOf } from '@proto/agent';
import { verifies } from '@proto/test-support/verifies';
import { createWebSocketServerTransport } from '@proto/transport-websocket';
import { expect, onTestFinished } from 'vitest';
import { loopback } from '../contract/loopback.test-support.ts';
import { startWorker } from './headless-worker.ts';
import { until } from './until.ts';

verifies(
  ['PROGRAM-14', 'WORKER-13', 'WORKER-11'],
  'a worker writes its messages to the socket despite cuts, and the end of its process closes the session to further input',
  async () => {
    const accepting = createWebSocketServerTransport();
    const server = await loopback((socket) => accepting.accept(socket));
    onTestFinished(() => server.close());
    const worker = startWorker(server.url, 'token', {
      process: {
        argv: ['--input-format=stream-json', '--output-format=stream-json', '--verbose', '--replay-user-messages'],
      },
      async *runTurn(turn) {
        const { behavior } = await turn.canUseTool('Bash', { command: 'ls' }, 'toolu_1');
        const content = [{ type: 'text', text: `${textOf(turn.prompt)}: ${behavior}` }];
        yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
      },
    });
    const host = createSession(accepting, { handlers: { can_use_tool: () => ({ behavior: 'allow' }) } });
    const messages: { readonly type: string; readonly [member: string]: unknown }[] = [];
    const links: string[] = [];
    const read = (async () => {
      for await (const item of host) {
        if (item.kind === 'message') messages.push(item.message);
        else if (item.kind === 'link') links.push(item.state);
      }
    })();
    const results = () => messages.flatMap(({ type, result }) => (type === 'result' ? [result] : []));
    for (const [turn, uuid] of ['one', 'two'].entries()) {
      await host.emit({ type: 'user', message: { role: 'user', content: uuid }, parent_tool_use_id: null, uuid });
      await until(() => results().length === turn + 1);
      server.cut();
    }
    expect(results()).toEqual(['one: allow', 'two: allow']);
    expect(messages.filter(({ isReplay }) => isReplay === true).map(({ uuid }) => uuid)).toEqual(['one', 'two']);
    // An agent that is stopped while its link is down does not wait forever for a link. The server would then not see the end of the agent, so this
    // test waits for the link.
    await until(() => links.length === 4);
    expect(links).toEqual(['down', 'up', 'down', 'up']);
    worker.signals.emit('SIGTERM');
    expect(await worker.code).toBe(143);
    await read;
    expect(await accepting.closed).toMatchObject({ by: 'peer' });
    expect([worker.stdin.destroyed, worker.written]).toEqual([true, { stdout: '', stderr: '' }]);
  },
);

verifies('WORKER-13', 'a session whose agent cannot start is closed before the process ends', async () => {
  const accepting = createWebSocketServerTransport();
  const server = await loopback((socket) => accepting.accept(socket));
  onTestFinished(() => server.close());
  const worker = startWorker(server.url, 'token', {
    process: { argv: ['--input-format=stream-json', '--output-format=stream-json', '--verbose'] },
    async setUp() {
      await accepting.opened;
      throw new Error('no room');
    },
    async *runTurn() {},
  });
  expect(await worker.code).toBe(1);
  expect(await accepting.closed).toMatchObject({ by: 'peer' });
  expect(worker.written).toEqual({ stdout: '', stderr: 'Error: no room\n' });
});
