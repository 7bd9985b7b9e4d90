import { type DemoOptions, runDemo } from '@proto/demo';
import { ownVariables } from '../own-variables.ts';

/** The flags of `sjp demo`. */
export type DemoFlags = Pick<DemoOptions, 'json' | 'fault'>;

/** `sjp demo`: one session over each transport, and what became of every message. Gives the exit code. */
export function demo(agent: string, flags: DemoFlags): Promise<number> {
  const { stdout, stderr, env } = process;
  const here = { stdout, stderr, env, agentEnv: ownVariables([agent], env), cwd: process.cwd() };
  return runDemo({ agent, here, ...flags });
}
