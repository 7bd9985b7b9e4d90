/** Starts the built `sjp serve` with a reference agent for each session. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Returns the path of a built command line tool. */
export const bin = (name: string) => fileURLToPath(new URL(`../../packages/cli/dist/${name}.js`, import.meta.url));

/** A running server, and what `sjp-shim` must know about it. */
export interface ServedAgents {
  readonly variables: Readonly<Record<'SJP_HOME' | 'SJP_SHIM_URL' | 'SJP_SHIM_TOKEN_FILE', string>>;
  close(): Promise<void>;
}

/** Starts a server in a new folder. */
export async function serveAgents(): Promise<ServedAgents> {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  const token = join(folder, 'token');
  writeFileSync(token, 'a-token-of-at-least-16', { mode: 0o600 });
  const flags = ['serve', '--json', '--listen=127.0.0.1:0', '--store=memory', `--token-file=${token}`];
  const server = spawn(process.execPath, [bin('main'), ...flags, '--', bin('agent')], {
    cwd: folder,
    // Root may skip permissions in a sandbox only.
    env: { PATH: process.env['PATH'], SJP_HOME: folder, IS_SANDBOX: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => server.once('exit', resolve));
  const { value } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
  const { base } = JSON.parse(value ?? '') as { readonly base: string };
  return {
    variables: { SJP_HOME: folder, SJP_SHIM_URL: `${base}/v1`, SJP_SHIM_TOKEN_FILE: token },
    async close() {
      server.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
