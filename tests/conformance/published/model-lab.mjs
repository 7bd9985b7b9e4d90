import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';

import { replyTo } from './model-replies.mjs';

// A case makes about two requests.
const MAX_REQUESTS = 10_000;

/**
 * Runs an agent that speaks the Messages API with a model on this machine. The agent takes its variables from this process.
 * @template T
 * @param {() => Promise<T>} run
 */
export async function inModelLab(run) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const api = createMessagesApi(replyTo, { maxRequests: MAX_REQUESTS });
  const server = await serveOnLoopback((request) => api.fetch(request));
  const variables = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, 'config'),
    ANTHROPIC_API_KEY: 'no-key',
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  };
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
