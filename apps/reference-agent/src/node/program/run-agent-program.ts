import { cliError, redirectStdout, runHeadless } from '@proto/headless';
import { type AgentModule, loadAgentModule, takeModuleFlag } from './agent-module.ts';
import { referenceEnvironment } from './reference-environment.ts';

export { type AgentModule, loadAgentModule, takeModuleFlag } from './agent-module.ts';

const HELP = {
  description: 'The reference agent, which needs no model and no key, or your own agent from a module.',
  ownFlags: { '--module <file>': 'run the agent of this module: its default export, or its export runTurn' },
};

/**
 * Runs this process as an agent executable with `runHeadless` of `@proto/headless`. If `argv` contains `--module FILE`, the agent in FILE is run, and
 * otherwise the reference agent. Uses stdin, stdout and the signals of this process, and ends the process with the exit code of the agent. `name` is
 * the name of the program in the help and in `--version`. The default of `name` is `sjp-agent`.
 */
export async function runAgentProgram(argv: readonly string[], name = 'sjp-agent'): Promise<void> {
  const { own, rest } = await ownAgent(argv);
  return runHeadless({ name, process: { argv: rest }, help: HELP, ...(own ?? referenceEnvironment()) });
}

async function ownAgent(argv: readonly string[]): Promise<{ own?: AgentModule; rest: readonly string[] }> {
  // Text that the module writes while it is loaded must not reach the session, so it goes to stderr.
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
