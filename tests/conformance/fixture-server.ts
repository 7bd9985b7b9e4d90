import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseServerProfile } from '@proto/conformance';

const fixtures = new URL('../../conformance/fixtures/', import.meta.url);

/** A fault of the server in plain JavaScript, and what finds it. */
export interface ServerFault {
  readonly fault: string;
  /** The case that finds the fault. */
  readonly 'found-by': string;
  /** The requirement that is broken, and its section. */
  readonly spec: string;
  readonly section: string;
}

/** The faults of the server in plain JavaScript. */
export const serverFaults = JSON.parse(
  readFileSync(new URL('server.faults.json', fixtures), 'utf8'),
) as readonly ServerFault[];

/** Starts the server in plain JavaScript, with one of its faults or without any. */
export async function startFixtureServer(fault?: string) {
  const child = spawn(process.execPath, [new URL('server.mjs', fixtures).pathname], {
    env: { ...(fault !== undefined && { SJP_FIXTURE_FAULT: fault }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url: line.split(' ').at(-1) ?? '',
    profile: parseServerProfile(readFileSync(new URL('server.tokens.yaml', fixtures), 'utf8')),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
