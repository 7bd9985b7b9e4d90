/** The doctor examines servers and agents on this machine, each of which is broken in one way. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { freePort } from '@proto/test-support/free-port';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startOldProxy, startSessionServer, startTlsServer, TOKEN } from './broken-servers.test-support.ts';
import { type Check, type DoctorOptions, runDoctor, TESTED_AGENTS } from './run-doctor.ts';

interface Report {
  readonly ok: boolean;
  readonly problems: readonly string[];
  readonly verdict: string;
  readonly checks: readonly Check[];
}

/** Runs the doctor, with the port that a server gets from the system and a variable that holds a secret. */
async function examine(options: Partial<DoctorOptions>) {
  const stdout = new PassThrough();
  const env = {
    PATH: process.env['PATH'],
    HTTPS_PROXY: 'http://user:hunter2pass@proxy.example:3128',
    API_TOKEN: TOKEN,
  };
  const port = await freePort();
  const here = { env, stdout, nodeVersion: '22.1.0', platform: 'linux x64' };
  const code = await runDoctor({ program: 'sjp 1.2.3', token: TOKEN, port, timeoutMs: 1000, ...options }, here);
  const text = String(stdout.read());
  expect(text).not.toMatch(/hunter2pass|a-token-of/);
  return { code, text, port };
}

async function report(options: Partial<DoctorOptions>): Promise<Report & { readonly code: number }> {
  const { code, text } = await examine({ json: true, ...options });
  return { code, ...(JSON.parse(text) as Report) };
}

/** Writes an agent, and returns its command line. */
async function agentOf(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'agent.mjs'), code);
  return `${process.execPath} ${join(folder, 'agent.mjs')}`;
}

/** The code of an agent that answers `initialize`. */
const agent = ({ version = TESTED_AGENTS.to, first = '' }: { version?: string; first?: string } = {}) => `
if (process.argv.includes('--version')) { console.log('${version} (Agent)'); process.exit(); }
${first}
let text = '';
process.stdin.on('data', (chunk) => {
  text += chunk;
  if (!text.includes('\\n')) return;
  const { request_id } = JSON.parse(text.split('\\n')[0]);
  const response = { commands: [{}, {}], models: [{}], output_style: 'default' };
  console.log(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response } }));
});
process.stdin.on('end', () => process.exit());
`;

test('the range of versions is that of the agents with which this repository is tested', async () => {
  const root = new URL('../../../../', import.meta.url);
  const [agents, catalog] = await Promise.all(
    ['scripts/native-agents.mjs', 'pnpm-workspace.yaml'].map((file) => readFile(new URL(file, root), 'utf8')),
  );
  const patch = /claude-agent-sdk': 0\.3\.(\d+)/.exec(catalog ?? '')?.[1];
  expect(TESTED_AGENTS).toEqual({ from: /version: '([\d.]+)'/.exec(agents ?? '')?.[1], to: `2.1.${patch}` });
});

describe('what works', () => {
  verifies('COMMAND-4', 'is reported in lines for people, with capabilities and a verdict', async () => {
    const command = await agentOf(agent());
    const { code, text, port } = await examine({ url: await startSessionServer(), agent: command });
    expect(code).toBe(0);
    const steady = text
      .replaceAll(/\b\d+ ms/g, 'N ms')
      .replaceAll(process.execPath, 'NODE')
      .replaceAll(String(port), 'PORT')
      .replaceAll(/port \d+/g, 'port PORT');
    expect(steady).toMatchInlineSnapshot(`
      "sjp 1.2.3
      ok   node           22.1.0, linux x64
      ok   variables      no relevant variables are set
      note proxies        HTTPS_PROXY proxy.example:3128
                          -> set NO_PROXY=127.0.0.1,localhost, so that connections on this machine do not use the proxy
      ok   port           PORT is free
      ok   agent          NODE
      ok   agent version  2.1.332, the tested versions are 2.1.112 to 2.1.332
      ok   agent stdout   the agent answers initialize after N ms: 2 commands, 1 models, output_style
      ok   name           127.0.0.1 is an IP address
      ok   tcp            port PORT answers after N ms
      -    tls            the address is http
      ok   http           HTTP/1.1 200 after N ms
      ok   clock          within one minute of the clock of the server
      ok   token          the token is accepted
      ok   stream         the first byte arrived after N ms
      ok   websocket      the server accepts a WebSocket after N ms
      ok   round trip     N ms, the shortest of 3
      nothing is wrong
      "
    `);
  });

  test('is reported as one object for programs', async () => {
    const { ok, problems, verdict, checks } = await report({ url: await startSessionServer() });
    expect({ ok, problems, verdict }).toEqual({ ok: true, problems: [], verdict: 'nothing is wrong' });
    expect(checks.map(({ name }) => name)).toContain('websocket');
    expect(checks.find(({ name }) => name === 'stream')).toMatchObject({ status: 'ok' });
  });

  test('needs no agent and no server', async () => {
    expect(await report({})).toMatchObject({ code: 0, ok: true });
  });
});

describe('what is broken is named', () => {
  const broken: readonly (readonly [
    what: string,
    problem: string,
    code: number,
    () => Promise<Partial<DoctorOptions>>,
  ])[] = [
    [
      'a wrong token',
      'wrong-token',
      3,
      async () => ({ url: await startSessionServer(), token: 'another-token-of-16' }),
    ],
    ['a token that is missing', 'no-token', 3, async () => ({ url: await startSessionServer(), token: undefined })],
    ['a wrong path', 'wrong-path', 4, async () => ({ url: `${await startSessionServer({ base: '/base' })}/other` })],
    ['a buffering proxy', 'buffering-proxy', 1, async () => ({ url: await startSessionServer({ buffers: true }) })],
    [
      'a clock that is 10 minutes off',
      'clock-off',
      1,
      async () => ({ url: await startSessionServer({ clockOffsetMs: 600_000 }) }),
    ],
    [
      'a refused WebSocket',
      'upgrade-refused',
      1,
      async () => ({ url: await startSessionServer({ refusesUpgrade: true }) }),
    ],
    ['a proxy that speaks HTTP/1.0', 'http-1.0', 4, async () => ({ url: await startOldProxy() })],
    ['a certificate for another name', 'tls-name', 4, async () => ({ url: await startTlsServer() })],
    [
      'a port at which nothing listens',
      'not-listening',
      4,
      async () => ({ url: `http://127.0.0.1:${await freePort()}` }),
    ],
    [
      'a server without TLS',
      'no-tls',
      4,
      async () => ({ url: (await startSessionServer()).replace('http:', 'https:') }),
    ],
    ['a name that is not known', 'name-unknown', 4, async () => ({ url: 'http://nowhere.invalid' })],
    ['an address that is none', 'wrong-address', 2, async () => ({ url: 'ftp://127.0.0.1' })],
    ['a port that is taken', 'port-taken', 1, async () => ({ port: Number(new URL(await startOldProxy()).port) })],
    ['an agent that is too old', 'old-agent', 1, async () => ({ agent: await agentOf(agent({ version: '1.0.30' })) })],
    [
      'an agent that prints to stdout',
      'agent-prints-to-stdout',
      1,
      async () => ({ agent: await agentOf(agent({ first: "console.log('Welcome back!');" })) }),
    ],
    ['an agent that ends', 'agent-silent', 1, async () => ({ agent: await agentOf('process.exit(3)') })],
    ['an agent that is missing', 'agent-not-found', 4, async () => ({ agent: 'no-such-agent-here' })],
  ];

  verifies('COMMAND-4', 'and each of them alone, with advice', async () => {
    for (const [what, problem, code, options] of broken) {
      const found = await report(await options());
      expect({ what, problems: found.problems, code: found.code }).toEqual({ what, problems: [problem], code });
      expect(found.verdict).toContain(problem);
      const wrong = found.checks.find((check) => check.problem === problem);
      expect(wrong?.advice, what).toMatch(/\w+ \w+/);
    }
  });

  test('in lines for people', async () => {
    const url = await startSessionServer({ clockOffsetMs: 600_000 });
    const { code, text } = await examine({ url, token: 'another-token-of-16' });
    expect(code).toBe(1);
    const lines = text.split('\n').filter((line) => /FAIL|->|failed checks:/.test(line));
    expect(lines).toMatchInlineSnapshot(`
      [
        "                 -> set NO_PROXY=127.0.0.1,localhost, so that connections on this machine do not use the proxy",
        "FAIL clock       the clock of this machine is 10 minutes slow, compared with the clock of the server",
        "                 -> set the clock of this machine or of the server, for example with timedatectl set-ntp true",
        "FAIL token       the server refuses the token with 401: a valid token is required",
        "                 -> use the token of the server: the line \`token\` in its output names the file for --token-file",
        "failed checks: clock (clock-off), token (wrong-token)",
      ]
    `);
  });

  test('a server of sessions at the port is not a failure', async () => {
    const { port } = new URL(await startSessionServer());
    const { checks, ok } = await report({ port: Number(port) });
    expect(ok).toBe(true);
    expect(checks.find(({ name }) => name === 'port')).toMatchObject({ status: 'note' });
  });
});
