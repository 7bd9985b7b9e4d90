import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Check, failed, fine, noted } from './check.ts';

/** What is known about the machine and this process. */
export interface Machine {
  /** The environment variables. The report contains names of variables and addresses of proxies without passwords, but no other values. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of Node, such as `v22.3.0`. */
  readonly nodeVersion: string;
  /** The operating system and the processor, such as `linux x64`. */
  readonly platform: string;
}

const MIN_NODE = [20, 19];
// Variables that change how agents and clients behave. Their values are not shown: many of them are secrets.
const RELEVANT = /^(?:ANTHROPIC|CLAUDE|SJP)_|^(?:NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|CI)$/;
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Checks the runtime, the variables and the proxies. */
export function machineChecks({ env, nodeVersion, platform }: Machine): readonly Check[] {
  const names = Object.keys(env)
    .filter((name) => RELEVANT.test(name) && env[name] !== '')
    .toSorted();
  return [
    isOldNode(nodeVersion)
      ? failed('node', 'old-node', `${nodeVersion}, ${platform}`, `install Node ${MIN_NODE.join('.')} or newer`)
      : fine('node', `${nodeVersion}, ${platform}`),
    names.length === 0
      ? fine('variables', 'no relevant variables are set')
      : noted('variables', `these variables are set: ${names.join(', ')}`),
    proxyCheck(env),
  ];
}

function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_NODE;
  return major < minMajor || (major === minMajor && minor < minMinor);
}

function proxyCheck(env: Machine['env']): Check {
  const set = PROXIES.flatMap((name) => (env[name] ? [`${name} ${proxyWithoutPassword(env[name])}`] : []));
  if (set.length === 0) return fine('proxies', 'no proxy is set in the environment');
  const without = env['NO_PROXY'] ?? env['no_proxy'];
  const advice = without
    ? undefined
    : 'set NO_PROXY=127.0.0.1,localhost, so that connections on this machine do not use the proxy';
  return noted('proxies', `${set.join(', ')}${without ? `; not used for ${without}` : ''}`, advice);
}

function proxyWithoutPassword(value: string): string {
  return URL.canParse(value) ? new URL(value).host : '(not an address)';
}

/** Checks that a server can listen on a port of this machine. The check does not fail if a session server already uses the port. */
export async function portCheck(port: number): Promise<Check> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1' });
    await once(server, 'listening');
    return fine('port', `${port} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return await takenPort(port);
    const advice = 'give another port, as in sjp serve --listen 127.0.0.1:PORT';
    return failed('port', 'port-refused', `${port} cannot be used: ${code}`, advice);
  } finally {
    server.close();
  }
}

async function takenPort(port: number): Promise<Check> {
  const signal = AbortSignal.timeout(1000);
  const health = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined);
  const said: unknown = await health?.json().catch(() => undefined);
  if (health?.ok === true && typeof Object(said).status === 'string') {
    return noted(
      'port',
      `a session server listens on ${port}`,
      `use it: sjp connect http://127.0.0.1:${port} --session new`,
    );
  }
  const advice = `end the program that listens on this port, or give another port, as in sjp serve --listen 127.0.0.1:0`;
  return failed('port', 'port-taken', `${port} is in use by another program`, advice);
}
