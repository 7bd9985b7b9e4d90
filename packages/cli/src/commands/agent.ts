import { cliError, runHeadless, redirectStdout } from '@proto/headless';
import { type AgentModule, loadAgentModule, takeModuleFlag } from '../agent-module.ts';
import { referenceEnvironment } from '../reference-environment.ts';

const HELP = {
  description: 'The reference agent, which needs no model and no key, or an agent of your own.',
  // Taken out of the command line ahead of the others.
  ownFlags: { '--module <file>': 'be the agent of that module: its default export, or runTurn' },
};

/** `sjp agent …`: the same as `sjp-agent …`. With `--module FILE` the agent of that file, else the reference agent. */
export async function agent(argv: readonly string[]): Promise<void> {
  const { own, rest } = await ownAgent(argv);
  return runHeadless({ name: 'sjp-agent', argv: rest, help: HELP, ...(own ?? referenceEnvironment()) });
}

async function ownAgent(argv: readonly string[]): Promise<{ own?: AgentModule; rest: readonly string[] }> {
  // What the module says while it is loaded is not the session's either.
  const giveBack = redirectStdout(process.stderr);
  try {
    const { file, rest } = takeModuleFlag(argv);
    return file === undefined ? { rest } : { own: await loadAgentModule(file), rest };
  } catch (error) {
    return cliError(`Error: ${(error as Error).message}`);
  } finally {
    giveBack();
  }
}
