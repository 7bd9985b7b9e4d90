import type { Writable } from 'node:stream';

/** What the demo needs of the process it runs in. */
export interface DemoProcess {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the agent gets of variables beside those that agents inherit. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly cwd: string;
}
