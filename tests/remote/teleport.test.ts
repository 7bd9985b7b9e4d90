/** Continues a session of a server in a terminal with `--teleport`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSession } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { type RunTurn, textOf } from '@proto/agent';
import { verifies } from '@proto/test-support/verifies';
import { createSseTransport } from '@proto/transport-sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAgent, startWorker } from './headless-worker.ts';
import { assistant, readMessages } from './messages.ts';
import { credentials, newSession, startIngress, TOKENS } from './remote-session.ts';
import { bin, serveAgents } from './served-agents.ts';
import { until } from './until.ts';

const textIn = ({ message }: WireMessage) => textOf((message as { readonly content?: unknown }).content);

/** An agent that answers with all prompts it has received. */
const recall: RunTurn = async function* ({ history }) {
  yield assistant(history.map(textIn).join('|'));
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teleport-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Connects a host to a session without turns; `say` runs one turn. */
function hostOf(session: string, token: string) {
  const host = createSession(createSseTransport({ url: session, credential: () => token, baseMs: 20 }));
  onTestFinished(() => host.abort());
  const messages = readMessages(host);
  const results = () => messages.filter(({ type }) => type === 'result');
  async function say(content: string): Promise<string> {
    const before = results().length;
    const message = { role: 'user', content };
    await host.emit({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: crypto.randomUUID() });
    await until(() => results().length > before);
    return String(results().at(-1)?.['session_id']);
  }
  return { say };
}

/** Creates a session with two turns, whose worker is attached by event streams. */
async function remoteSession() {
  const server = await startIngress();
  onTestFinished(() => server.close());
  const id = await newSession(server.url);
  const session = `${server.url}/v1/code/sessions/${id}`;
  const { worker_jwt: token, worker_epoch: epoch } = await credentials(server.url, id);
  const worker = startWorker(session, token, {
    runTurn: recall,
    process: { env: { CLAUDE_CODE_WORKER_EPOCH: String(epoch) } },
  });
  onTestFinished(() => void worker.signals.emit('SIGTERM'));
  const { say } = hostOf(session, TOKENS.driver);
  await say('one');
  return { server, id, session, token, say, agentId: await say('two') };
}

type Started = Awaited<ReturnType<typeof remoteSession>>;

/** Runs agents in this process that store their sessions in one folder. */
function terminal({ server }: Pick<Started, 'server'>) {
  const SJP_HOME = temporaryFolder();
  async function agent(argv: readonly string[], token: string | undefined = TOKENS.viewer, env: object = {}) {
    const variables = { SJP_HOME, SJP_TELEPORT_URL: server.url, ...env };
    const started = startAgent(token, { runTurn: recall, process: { argv, env: variables } });
    started.stdin.end();
    return { code: await started.code, ...started.written };
  }
  const files = () =>
    readdirSync(SJP_HOME, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const entries = () =>
    files().map((name) =>
      readFileSync(join(SJP_HOME, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  return { agent, files, entries };
}

const BEFORE = 'one|one|two|one|one|two';

describe('--teleport', () => {
  verifies(
    'PROGRAM-4',
    'continues a session of a server under the id of its agent, and stores the session locally',
    async () => {
      const remote = await remoteSession();
      const { agent, files, entries } = terminal(remote);
      const done = { code: 0, stderr: '' };
      expect(await agent(['--teleport', remote.id, 'three'])).toEqual({ ...done, stdout: `${BEFORE}|three\n` });
      expect(files()).toEqual([expect.stringContaining(`${remote.agentId}.jsonl`)]);
      const [lines = []] = entries();
      expect(lines).toHaveLength(6);
      expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([null, ...lines.slice(0, -1).map(({ uuid }) => uuid)]);
      expect(new Set(lines.map(({ sessionId }) => sessionId))).toEqual(new Set([remote.agentId]));
      // From now on the session is a local session like any other.
      const { stdout } = await agent(['--resume', remote.agentId, 'four']);
      expect(stdout).toBe(`${BEFORE}|three|${BEFORE}|three|four\n`);
    },
  );

  test('accepts the address of the session and the token of its worker', async () => {
    const remote = await remoteSession();
    const { agent } = terminal(remote);
    const done = { code: 0, stderr: '', stdout: `${BEFORE}|three\n` };
    expect(await agent(['--teleport', remote.session, 'three'], remote.token, { SJP_TELEPORT_URL: '' })).toEqual(done);
  });

  verifies(
    'PROGRAM-4',
    'fetches later turns of the server or continues later local turns, but refuses to mix both',
    async () => {
      const remote = await remoteSession();
      const { agent, files } = terminal(remote);
      await agent(['--teleport', remote.id, '--output-format=json']);
      await remote.say('there');
      const there = `${BEFORE}|there|${BEFORE}|there`;
      expect((await agent(['--teleport', remote.id, 'here'])).stdout).toBe(`${there}|here\n`);
      // The server has no new turns.
      expect((await agent(['--teleport', remote.id, 'again'])).stdout).toBe(`${there}|here|${there}|here|again\n`);
      const kept = files().length;
      await remote.say('elsewhere');
      const diverged = await agent(['--teleport', remote.id, 'x']);
      expect(diverged).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`--resume ${remote.agentId}`),
      });
      expect(files()).toHaveLength(kept);
      const fork = await agent(['--teleport', remote.id, '--fork-session', 'x']);
      expect(fork).toMatchObject({ code: 0, stdout: expect.stringContaining('|elsewhere|') });
    },
  );

  test('stores nothing if session storage is turned off', async () => {
    const remote = await remoteSession();
    const { agent, files } = terminal(remote);
    expect((await agent(['--teleport', remote.id, '--no-session-persistence', 'x'])).stdout).toBe(`${BEFORE}|x\n`);
    expect(files()).toEqual([]);
  });

  test('fails with an error that names the cause and the remedy', async () => {
    const server = await startIngress();
    onTestFinished(() => server.close());
    const id = await newSession(server.url);
    const { agent, files } = terminal({ server });
    const { worker_jwt: superseded } = await credentials(server.url, id);
    const { worker_jwt: leased } = await credentials(server.url, id);
    const cases: readonly (readonly [
      argv: readonly string[],
      token: string | undefined,
      stderr: RegExp,
      env?: object,
    ])[] = [
      [['--teleport', 'cse_unknown'], TOKENS.viewer, /^No remote session found with ID: cse_unknown \(http:.*\)\n$/],
      [['--teleport', id], TOKENS.viewer, /^The remote session .* has no conversation yet\n$/],
      [['--teleport', id], leased, /^The remote session .* has no conversation yet\n$/],
      [
        ['--teleport', id],
        undefined,
        /^Error: --teleport needs a token for .* set CLAUDE_CODE_SESSION_ACCESS_TOKEN or .*\n$/,
      ],
      [
        ['--teleport', id],
        'wrong-token-0123456789',
        /^Error: .* does not accept the token: set CLAUDE_CODE_SESSION_ACCESS_TOKEN .*\n$/,
      ],
      [['--teleport', id], superseded, /^Error: another worker has taken over the remote session .*\n$/],
      [
        ['--teleport', 'cse_other'],
        leased,
        /^Error: the token does not allow reading the remote session cse_other: .*\n$/,
      ],
      [
        ['--teleport', id],
        TOKENS.viewer,
        /^Error: --teleport: the server is missing\. .*SJP_TELEPORT_URL.*\n$/,
        { SJP_TELEPORT_URL: '' },
      ],
      [
        ['--teleport', id],
        TOKENS.viewer,
        /^Error: the server of the remote session cannot be reached: http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\n$/,
        { SJP_TELEPORT_URL: 'http://127.0.0.1:1' },
      ],
    ];
    for (const [argv, token, stderr, env] of cases) {
      const outcome = await agent([...argv, 'x'], token ?? '', env);
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) });
      for (const secret of [TOKENS.viewer, leased, superseded]) expect(outcome.stderr).not.toContain(secret);
    }
    expect(files()).toEqual([]);
  });

  test('works from the shell with a session of sjp serve', async () => {
    const served = await serveAgents();
    onTestFinished(() => served.close());
    const { SJP_SHIM_URL: server, SJP_SHIM_TOKEN_FILE: tokenFile } = served.variables;
    const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
    const made = await fetch(`${server}/code/sessions`, { method: 'POST', body: '{}', headers: { authorization } });
    const { session } = (await made.json()) as { readonly session: { readonly id: string } };
    const url = `${server}/code/sessions/${session.id}`;
    const { say } = hostOf(url, authorization.slice('Bearer '.length));
    for (const prompt of ['/echo one', '/bash true', '/echo two']) await say(prompt);
    const cwd = temporaryFolder();
    const module = join(cwd, 'recall.mjs');
    writeFileSync(
      module,
      `export default async function* ({ history }) {
        const text = history.map(({ message }) => JSON.stringify(message.content)).join(' ');
        yield { type: 'assistant', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] } };
      }`,
    );
    const argv = [bin('agent'), '--module', module, '--teleport', session.id, '-p', 'three'];
    const env = {
      PATH: process.env['PATH'],
      SJP_HOME: cwd,
      SJP_TELEPORT_URL: server,
      CLAUDE_SESSION_INGRESS_TOKEN_FILE: tokenFile,
    };
    const running = promisify(execFile)(process.execPath, argv, { cwd, env });
    running.child.stdin?.end();
    const { stdout, stderr } = await running;
    expect(stderr).toBe('');
    expect(stdout).toMatch(/echo one.*"one".*bash true.*tool_use.*tool_result.*echo two.*"two".*"three"/);
  });
});
