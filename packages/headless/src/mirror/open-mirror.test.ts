import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, vi } from 'vitest';
import { start, STREAM } from '../run.test-support.ts';

verifies('AGENT-14', 'a token that the local host refreshes is sent to the remote session', async () => {
  const shown = new Set<string | undefined>();
  // 503 causes the agent to retry; 401 then causes it to send the refreshed token.
  let status = 503;
  const server = createServer(({ headers }, response) => {
    shown.add(headers.authorization);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/code/sessions/cse_1`;
  const env = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'old', CLAUDE_CODE_WORKER_EPOCH: '1' };
  const agentOptions = () => ({ environment: { onChange: () => void (status = 401) } });
  const { stdin, code } = start([...STREAM, '--mirror', url], { process: { env }, agentOptions });
  await vi.waitFor(() => expect([...shown]).toEqual(['Bearer old']), { timeout: 10_000 });
  const variables = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'new' };
  stdin.write(`${JSON.stringify({ type: 'update_environment_variables', variables })}\n`);
  await vi.waitFor(() => expect(shown).toContain('Bearer new'), { timeout: 20_000 });
  stdin.end();
  expect(await code).toBe(0);
});
