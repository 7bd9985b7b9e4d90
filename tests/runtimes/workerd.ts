/** A server of workerd that runs one module. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedRuntime } from './installed-runtimes.ts';

export const WORKERD = { name: 'workerd', command: installedRuntime('workerd') };

/** The module may connect to this machine only. */
const configOf = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "program.js", esModule = embed "program.js")],
      compatibilityDate = "2026-11-01",
      globalOutbound = "machine",
    )),
    (name = "machine", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts workerd with a module whose default export has a `fetch` handler, posts JSON to it, and returns the JSON of its answer. */
export async function runInWorkerd(module: string, input: unknown): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'workerd-'));
  const port = await freePort();
  writeFileSync(join(folder, 'program.js'), module);
  writeFileSync(join(folder, 'config.capnp'), configOf(port));
  const child = spawn(WORKERD.command, ['serve', '--control-fd=3', join(folder, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  try {
    const failed = failureOf(child);
    await Promise.race([listening(child), failed]);
    const asked = fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(input) });
    const answer = await Promise.race<Response>([asked, failed]);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`workerd answered with ${answer.status}: ${body}`);
    return JSON.parse(body);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** workerd writes a line on this descriptor when a socket listens. */
async function listening({ stdio }: ChildProcess): Promise<void> {
  for await (const chunk of stdio[3] as NodeJS.ReadableStream) if (String(chunk).includes('listen')) return;
}

/** Rejects with the last words of the process when it has left. */
async function failureOf(child: ChildProcess): Promise<never> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)));
  await once(child, 'exit');
  throw new Error(`workerd has left: ${said}`);
}
