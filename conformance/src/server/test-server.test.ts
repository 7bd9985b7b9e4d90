import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import type { Case } from '../cases/case-schema.ts';
import { compileCases } from '../cases/compile-cases.ts';
import { loadSuite } from '../cases/suite.ts';
import { ProgramNotStarted } from '../run/test-options.ts';
import { parseServerProfile, type ServerProfile, ServerProfileError } from './server-profile.ts';
import { testServer } from './test-server.ts';

const SECRET = 'a-token-that-must-not-be-written';
const profile = parseServerProfile(`{"tokens":{"driver":"${SECRET}"},"declares":["sse","create"]}`);

function caseOf(steps: Case['steps'], rest: Partial<Case> = {}): Case {
  return {
    id: 'server/tests/one',
    title: 'A case of this test.',
    side: 'server',
    spec: ['EVS-1'],
    level: 'must',
    needs: [],
    start: {},
    steps,
    ...rest,
  };
}

const reads = caseOf([{ open: 'v' }, { post: 'hello' }, { expect: { message: { content: 'hello' } } }]);

async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const serveHttp = (listener: RequestListener) => listen(createServer(listener));

/** Runs one case against a server, with short time limits. */
async function run(url: string, entry: Case, over: { profile?: ServerProfile; traceFolder?: string } = {}) {
  const [result] = await testServer({ url, profile, cases: [entry], timeoutScale: 0.06, ...over });
  return result;
}

test('a server that has stopped is the only failure of each later case', async () => {
  const server = createServer((_, response) => {
    response.writeHead(404).end();
    server.close();
  });
  await using serving = await listen(server);
  const result = await run(serving.url, reads);
  expect(result).toMatchObject({ verdict: 'failed', failures: [{ spec: 'EVS-1' }] });
  expect(result?.failures[0]?.message).toContain(`The server at ${serving.url} has stopped`);
});

test('the steps of `meanwhile` run before the second half of a body', async () => {
  const seen: string[] = [];
  await using serving = await serveHttp((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
      seen.push(`${request.url} ${body}`);
    });
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  const steps = [{ http: 'POST /one', text: 'abcd', meanwhile: [{ http: 'POST /two', text: 'x' }] }];
  const only = parseServerProfile(`{"tokens":{"driver":"a"},"session":{"ids":["s1"]},"declares":["sse"]}`);
  const result = await run(serving.url, caseOf(steps), { profile: only });
  expect(result).toMatchObject({ verdict: 'passed' });
  expect(seen).toEqual(['/one ab', '/two x', '/one abcd']);
});

test('a server that cannot be reached is an error of the start', async () => {
  const { url } = await (async () => {
    await using server = await serveHttp(() => {});
    return { url: server.url };
  })();
  await expect(run(url, reads)).rejects.toThrow(ProgramNotStarted);
});

test('a server that hangs is never reported as a success', async () => {
  await using server = await listen(createTcpServer(() => {}));
  await expect(run(server.url, reads)).rejects.toThrow(ProgramNotStarted);
});

test('a server that hangs after the creation of a session fails', async () => {
  await using server = await serveHttp((request, answer) => {
    if (request.url === '/v1/code/sessions') answer.writeHead(201).end('{"session":{"id":"cse_1"}}');
    else if (request.url === '/') answer.end();
  });
  const result = await run(server.url, reads);
  expect(result).toMatchObject({ verdict: 'failed', failures: [{ spec: 'EVS-1', step: 1 }] });
  expect(result?.failures[0]?.message).toMatch(/did not open an event stream: no response headers arrived/);
});

test('a server that closes each connection at once cannot be reached', async () => {
  await using server = await listen(createTcpServer((socket) => socket.destroy()));
  await expect(run(server.url, reads)).rejects.toThrow(ProgramNotStarted);
});

test('a server that closes the stream at once fails', async () => {
  await using server = await serveHttp((request, answer) => {
    if (request.url === '/v1/code/sessions') answer.end('{"session":{"id":"cse_1"}}');
    else if (request.method === 'GET') answer.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    else answer.end('{}');
  });
  const result = await run(server.url, reads);
  expect(result?.verdict).toBe('failed');
  expect(result?.failures[0]?.message).toMatch(/the event stream of "v" has ended/);
});

test.each(['this is not JSON', '[]', '{"session":7}', ''])(
  'a server that answers %j to each request fails',
  async (text) => {
    await using server = await serveHttp((_, answer) => answer.end(text));
    const result = await run(server.url, reads);
    expect(result?.verdict).toBe('failed');
    expect(result?.failures[0]?.message).toContain('session.id');
  },
);

test('a server that writes bytes which are not HTTP cannot be reached', async () => {
  await using server = await listen(createTcpServer((socket) => void socket.write('garbage\r\n\r\n')));
  await expect(run(server.url, reads)).rejects.toThrow(ProgramNotStarted);
});

test('a stream of garbage fails', async () => {
  await using server = await serveHttp((request, answer) => {
    if (request.url === '/v1/code/sessions') answer.end('{"session":{"id":"cse_1"}}');
    else if (request.url === '/') answer.end();
    else if (request.method === 'GET') {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(
        'data: {{{\n\nevent: client_event\ndata: 7\n\nid: x\nevent: client_event\ndata: {"payload":[]}\n\n\u0000\u0001',
      );
    } else answer.end('{}');
  });
  const result = await run(server.url, reads);
  expect(result?.verdict).toBe('failed');
  expect(result?.failures.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['frame-of-events', 'envelope']));
});

test('a mistake in a case is an error of the suite, and not a failure of the server', async () => {
  await using server = await serveHttp((_, answer) => answer.end('{"session":{"id":"cse_1"}}'));
  const result = await run(server.url, caseOf([{ post: 'hello', role: 'stranger' }]));
  expect(result).toMatchObject({ verdict: 'error', failures: [] });
});

test('what the server does not declare is not tested', async () => {
  await using server = await serveHttp((_, answer) => answer.end());
  const result = await run(server.url, { ...reads, needs: ['websocket', 'sse'] });
  expect(result).toMatchObject({ verdict: 'not-declared', reason: 'the server does not declare websocket' });
});

test('a list of fresh sessions that is used up is an error of the suite', async () => {
  await using server = await serveHttp((_, answer) => answer.end('{}'));
  const one = parseServerProfile('{"tokens":{"driver":"t"},"declares":["sse"],"session":{"ids":["cse_1"]}}');
  const entry = caseOf([{ http: 'GET S' }]);
  const results = await testServer({
    url: server.url,
    profile: one,
    cases: [entry, { ...entry, id: 'server/tests/two' }],
  });
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'error']);
});

test('a trace contains no token', async () => {
  await using server = await serveHttp((request, answer) => {
    if (request.url === '/v1/code/sessions') answer.end('{"session":{"id":"cse_1"}}');
    else
      answer
        .writeHead(400)
        .end(JSON.stringify({ said: request.headers.authorization, worker_jwt: 'the-worker-token' }));
  });
  const folder = await mkdtemp(join(tmpdir(), 'traces-'));
  try {
    const result = await run(server.url, caseOf([{ http: 'GET S', status: 400 }]), { traceFolder: folder });
    const text = await readFile(String(result?.trace), 'utf8');
    expect(text).toContain('Bearer TOKEN');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('the-worker-token');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a failure contains no token', async () => {
  await using server = await serveHttp((request, answer) =>
    answer.end(JSON.stringify({ said: request.headers.authorization })),
  );
  const result = await run(server.url, reads);
  expect(result?.failures[0]).toMatchObject({ got: { said: 'Bearer TOKEN' } });
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test('a profile that cannot be used is refused without its tokens', () => {
  expect(() => parseServerProfile(`tokens: {driver: ${SECRET}\n  x`)).toThrow(
    'The token file is neither YAML nor JSON.',
  );
  expect(() => parseServerProfile(`tokens: {drover: ${SECRET}}\ndeclares: [sse]`)).toThrow(/tokens/);
  expect(() => parseServerProfile(`tokens: {driver: ${SECRET}}\ndeclares: [ssse]`)).toThrow(/declares\.0/);
  expect(() => parseServerProfile(`tokens: {drover: ${SECRET}}\ndeclares: [sse]`)).not.toThrow(SECRET);
});

/** The server in plain JavaScript, with one of its faults or without any. */
async function startFixture(fault: string) {
  const program = fileURLToPath(new URL('../../fixtures/server.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { SJP_FIXTURE_FAULT: fault },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url: line.split(' ').at(-1) ?? '',
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

describe('generated sessions', () => {
  test('find a fault, and leave the shortest session that shows it as a file of cases', {
    timeout: 60_000,
  }, async () => {
    const text = await readFile(new URL('../../fixtures/server.tokens.yaml', import.meta.url), 'utf8');
    const used = parseServerProfile(text);
    const traceFolder = await mkdtemp(join(tmpdir(), 'sjp-random-'));
    const random = { count: 4, seed: 13 };
    await using faulty = await startFixture('worker-receives-worker-messages');
    const results = await testServer({ url: faulty.url, profile: used, cases: [], random, traceFolder });
    const found = results.find(({ shrunk }) => shrunk !== undefined);
    const written = await readFile(String(found?.shrunk), 'utf8');
    expect(written).toMatch(/^# REM-25: .*\n- id: server\/random\/seed-13-session-\d+\n/);
    const { cases, problems } = compileCases([{ side: 'server', text: written }], loadSuite().requirements);
    expect(problems).toEqual([]);
    // The worker takes the lease, opens its stream, and sends a message.
    expect(cases[0]?.steps.length).toBeLessThanOrEqual(4);
    const again = await testServer({ url: faulty.url, profile: used, cases });
    expect(again).toMatchObject([{ verdict: 'failed', failures: [{ spec: 'REM-25' }] }]);
    await using good = await startFixture('');
    expect(await testServer({ url: good.url, profile: used, cases })).toMatchObject([{ verdict: 'passed' }]);
  });

  test('need a request that creates sessions', async () => {
    const listed = parseServerProfile('{"tokens":{"driver":"t"},"declares":["sse"],"session":{"ids":["cse_1"]}}');
    const run = testServer({ url: 'http://127.0.0.1:9', profile: listed, cases: [], random: { count: 1, seed: 1 } });
    await expect(run).rejects.toThrow(ServerProfileError);
  });
});
