import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A program that runs JavaScript, other than the Node of the tests. */
export interface Runtime {
  readonly name: string;
  readonly command: string;
  /** Flags for a program that uses files, processes and the network of this machine. */
  readonly flags: readonly string[];
  /** Whether a program that is started as `node` is this one. */
  readonly isNode: boolean;
}

/** The path of a program that `npm run runtimes` installs. */
export function installedRuntime(name: string): string {
  return fileURLToPath(new URL(`../../node_modules/.cache/runtimes/${name}`, import.meta.url));
}

// Deno asks for each right, and resolves packages as Node does only with a flag.
const DENO_FLAGS = [
  'run',
  '--no-prompt',
  '--node-modules-dir=manual',
  '--no-check',
  '--allow-read',
  '--allow-env',
  '--allow-run',
  '--allow-sys',
  '--allow-net=127.0.0.1',
];

/** The runtimes that `npm run runtimes` installs. */
export const RUNTIMES: readonly Runtime[] = [
  ...['22', '24', '26'].map((version) => ({
    name: `Node ${version}`,
    command: installedRuntime(`node-${version}`),
    flags: [],
    isNode: true,
  })),
  { name: 'Bun', command: installedRuntime('bun'), flags: [], isNode: false },
  { name: 'Deno', command: installedRuntime('deno'), flags: DENO_FLAGS, isNode: false },
];

/** Whether tests of a runtime are skipped. If the environment asks for the runtimes, they must be installed. */
export function isSkipped({ command }: Pick<Runtime, 'command'>): boolean {
  return !existsSync(command) && process.env['RUNTIMES'] !== '1';
}
