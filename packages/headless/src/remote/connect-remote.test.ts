import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { run, start, STREAM } from '../run.test-support.ts';

const TOKEN = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'secret-token' };

/** A server that answers every request with the same status, and the requests that it received. */
async function refusing(status: number) {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, headers });
    response.writeHead(status).end();
  });
  server.on('upgrade', ({ url = '', headers }, socket) => {
    requests.push({ path: url, headers });
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { requests, at: `127.0.0.1:${port}/v1/code/sessions/cse_1`, close: () => server.close() };
}

verifies('WORKER-5', '--sdk-url with a WebSocket address is refused when CLAUDE_CODE_USE_CCR_V2 is set', async () => {
  const { code, stdout, stderr } = await run(['-p', '--sdk-url', 'wss://secret@host/x'], '', {
    process: { env: { ...TOKEN, CLAUDE_CODE_USE_CCR_V2: '1' } },
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe('Error: CLAUDE_CODE_USE_CCR_V2 is set, so --sdk-url must begin with http: or https:, not wss:\n');
});

test.each([
  [
    'ftp://secret@host',
    'Error: Unsupported protocol: ftp: (known: http:, https:, ws:, wss:, hybrid+ws:, hybrid+wss:)\n',
  ],
  ['nowhere', 'Error: Unsupported protocol:  (known: http:, https:, ws:, wss:, hybrid+ws:, hybrid+wss:)\n'],
])('--sdk-url %s is refused without a connection', async (url, text) => {
  const { code, stderr } = await run(['-p', `--sdk-url=${url}`], '', { process: { env: TOKEN } });
  expect([code, stderr]).toEqual([1, text]);
});

verifies('ERR-27', 'a worker without a token exits with 1 and sends no request', async () => {
  const server = await refusing(500);
  const { code, stderr } = await run(['-p', '--sdk-url', `http://${server.at}`]);
  expect([code, stderr]).toEqual([1, 'Error: no token for the remote session: set CLAUDE_CODE_SESSION_ACCESS_TOKEN\n']);
  expect(server.requests).toEqual([]);
  server.close();
});

verifies(
  'ERR-28',
  'a session that refuses its worker makes the process exit with 1 and the reason, in every output format',
  async () => {
    const server = await refusing(403);
    for (const flags of [['-p'], STREAM]) {
      const { code, stdout, stderr } = await run([...flags, '--sdk-url', `http://${server.at}`], '', {
        process: { env: TOKEN },
      });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe('Error: sse: answered with status 403\n');
    }
    expect(server.requests.length).toBeGreaterThan(0);
    server.close();
  },
);

verifies(['REM-6', 'WORKER-4'], 'the token and the runner version are sent as headers by every transport', async () => {
  const server = await refusing(403);
  const env = { ...TOKEN, CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION: 'r1' };
  for (const scheme of ['http', 'ws', 'hybrid+ws']) {
    server.requests.length = 0;
    const at = server.at.replace(scheme === 'hybrid+ws' ? 'code/sessions' : '', scheme === 'hybrid+ws' ? 'ws' : '');
    const { code, stderr } = await run(['-p', '--sdk-url', `${scheme}://${at}`], '', { process: { env } });
    expect(code).toBe(1);
    expect(stderr).not.toContain('secret');
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'x-environment-runner-version': 'r1',
    });
  }
  server.requests.length = 0;
  const { stderr } = await run(['-p', '--sdk-url', `ws://${server.at}`]);
  expect(stderr).toContain('Error: no token for the remote session: set CLAUDE_CODE_SESSION_ACCESS_TOKEN\n');
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  server.close();
});

test('a server that cannot be reached yet is reported on stderr at once by both transports', async () => {
  const server = await refusing(403);
  server.close();
  for (const scheme of ['http', 'ws']) {
    const { stderr, signals, written, code } = start(['-p', '--sdk-url', `${scheme}://${server.at}`], {
      process: { env: TOKEN },
    });
    await once(stderr, 'data');
    expect(written.stderr).toMatch(
      /^Warning: no remote session yet, trying again: .*nothing listens on this port \(ECONNREFUSED\)\n/,
    );
    signals.emit('SIGTERM');
    await code;
  }
});
