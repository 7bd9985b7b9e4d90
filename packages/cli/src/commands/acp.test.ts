/** Tests of `sjp acp`, run as a program with the published client library. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, type ClientContext, methods, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, messagesIn, outcomeOf, run, start } from '../bins.test-support.ts';
import { startServer } from '../serve/serve.test-support.ts';

const cwd = mkdtempSync(join(FOLDER, 'acp-'));
const home = { SJP_HOME: join(cwd, 'home'), HOME: cwd };

/** Runs `sjp acp` as an editor does. The exit code is the code after the editor has closed the connection. */
async function withEditor(
  run: (agent: ClientContext, updates: readonly SessionUpdate[]) => Promise<void>,
  words: readonly string[] = ['--', AGENT],
  answer: () => Promise<object> | object = () => ({ outcome: { outcome: 'cancelled' } }),
): Promise<number | null> {
  const child = start(MAIN, ['acp', ...words], home);
  const exited = once(child, 'exit');
  const updates: SessionUpdate[] = [];
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  await client()
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async () => (await answer()) as never)
    .connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      await run(agent, updates);
    });
  child.stdin.end();
  const [code] = await exited;
  return code as number | null;
}

const textIn = (updates: readonly SessionUpdate[], kind: string) =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === kind && 'content' in update ? [(update.content as { text?: string }).text] : [],
    )
    .join('');

verifies('EDITOR-5', 'a conversation is listed and loaded by another process', async () => {
  let sessionId = '';
  const first = await withEditor(async (agent, updates) => {
    ({ sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] }));
    const prompt = [{ type: 'text' as const, text: '/echo hello' }];
    expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({
      stopReason: 'end_turn',
    });
    expect(textIn(updates, 'agent_message_chunk')).toBe('hello');
  });
  expect(first).toBe(0);
  const second = await withEditor(async (agent, updates) => {
    const { sessions } = await agent.request(methods.agent.session.list, { cwd });
    expect(sessions).toMatchObject([{ sessionId, cwd, title: '/echo hello' }]);
    await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    expect([textIn(updates, 'user_message_chunk'), textIn(updates, 'agent_message_chunk')]).toEqual([
      '/echo hello',
      'hello',
    ]);
    await agent.request(methods.agent.session.delete, { sessionId });
    expect((await agent.request(methods.agent.session.list, { cwd })).sessions).toEqual([]);
  });
  expect(second).toBe(0);
});

verifies(
  ['EDITOR-15', 'EDITOR-16'],
  'a session of a server goes on in another editor, with its open permission',
  async () => {
    const server = await startServer(['--', AGENT]);
    const words = ['--connect', server.base, '--token-file', server.tokenFile];
    let sessionId = '';
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const unanswered = () => {
      asked();
      return new Promise<object>(() => {});
    };
    const promptOf = (text: string) => ({ sessionId, prompt: [{ type: 'text' as const, text }] });
    await withEditor(
      async (agent) => {
        ({ sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] }));
        await agent.request(methods.agent.session.prompt, promptOf('/echo hello'));
        agent.request(methods.agent.session.prompt, promptOf('/bash echo later')).catch(() => {});
        await isAsked;
      },
      words,
      unanswered,
    );
    await withEditor(
      async (agent, updates) => {
        expect((await agent.request(methods.agent.session.list, {})).sessions).toMatchObject([{ sessionId }]);
        await agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
        expect(textIn(updates, 'user_message_chunk')).toBe('/echo hello/bash echo later');
        await agent.request(methods.agent.session.prompt, promptOf('/echo end'));
        expect(textIn(updates, 'agent_message_chunk')).toBe('hellolaterend');
      },
      words,
      () => ({ outcome: { outcome: 'selected', optionId: 'allow' } }),
    );
  },
);

test('an agent that does not exist is an error of the session, with the name of the program', async () => {
  const child = start(MAIN, ['acp', '--', 'no-such-agent'], home);
  const lines = [
    { id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
    { id: 1, method: 'session/new', params: { cwd, mcpServers: [] } },
  ];
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
    if (output.includes('"id":0') && !output.includes('"id":1'))
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...lines[1] })}\n`);
    if (output.includes('"id":1')) child.stdin.end();
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...lines[0] })}\n`);
  await once(child, 'exit');
  expect(output).toMatch(/"code":-32603,"message":"[^\n]*no agent [^\n]*no-such-agent/);
});

/** Runs `sjp run` with an ACP agent, which is `sjp acp` with the reference agent. */
const runWith = (prompt: string, permissions: string, agent = [MAIN, 'acp', '--', AGENT]) => {
  const words = [MAIN, 'acp-agent', '--', ...agent, '--'];
  const args = ['run', prompt, '--permissions', permissions, '--format', 'ndjson', '--', ...words];
  return outcomeOf(start(MAIN, args, home, cwd), '');
};

verifies('EDITOR-10', 'an ACP agent runs a command only if the host allows it', async () => {
  const command = `/bash echo made > ${join(cwd, 'made.txt')}`;
  const denied = messagesIn((await runWith(command, 'deny')).stdout);
  expect(denied.at(-1)).toMatchObject({ type: 'result', permission_denials: [{ tool_name: 'Bash' }] });
  expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
  const allowed = messagesIn((await runWith(command, 'allow')).stdout);
  expect(allowed.at(-1)).toMatchObject({ type: 'result', subtype: 'success', permission_denials: [] });
  expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made\n');
});

test('an ACP agent that does not exist, or a command that does not end, is an error that says so', async () => {
  const missing = await runWith('/echo hello', 'deny', ['no-such-agent']);
  expect(missing.stderr).toContain('no agent "no-such-agent"');
  const { code, stderr } = await run(MAIN, ['acp-agent', '--', 'opencode', 'acp']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('must be followed by --')]);
});

test('an editor with a terminal logs in by the command of the agent', async () => {
  const request = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: { auth: { terminal: true } } },
  };
  const { stdout } = await run(MAIN, ['acp', '--', AGENT], `${JSON.stringify(request)}\n`);
  const { authMethods } = (JSON.parse(stdout) as { result: { authMethods: { type: string; env: object }[] } }).result;
  expect(authMethods).toMatchObject([{ type: 'terminal', env: { SJP_ACP_LOGIN: '1' } }]);
  const { stderr, code } = await run(MAIN, ['acp', '--', AGENT], '', { ...authMethods[0]?.env });
  // The reference agent needs no login, and refuses one.
  expect([stderr, code]).toEqual([expect.stringContaining('auth login ended with the code 1'), 2]);
});

test('the help names the page for editors', async () => {
  const { stdout, code } = await run(MAIN, ['acp', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('docs/editors.md');
});
