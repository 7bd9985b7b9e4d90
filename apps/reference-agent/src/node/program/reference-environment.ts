import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { FlagOptions, HeadlessEnvironment, HeadlessOptions } from '@proto/headless';
import type { ReferenceAgent } from '../../reference-agent.ts';

const ADDITIONAL_FLAGS: readonly (keyof FlagOptions)[] = [
  'addDir',
  'allowDangerouslySkipPermissions',
  'allowedTools',
  'disallowedTools',
  'jsonSchema',
  'maxBudgetUsd',
  'maxTurns',
  'settings',
  'tools',
];

const INNER_TOOLS = ['Agent', 'AskUserQuestion'];

/** Creates the reference agent for an agent executable. The code of the agent is loaded with the first session. */
export function referenceEnvironment(): Pick<HeadlessEnvironment, 'runTurn' | 'agentOptions' | 'reads'> {
  let runTurn: ReferenceAgent['runTurn'] | undefined;
  return {
    reads: ADDITIONAL_FLAGS,
    async agentOptions({ options }) {
      const agent = await referenceAgent(options);
      ({ runTurn } = agent);
      const { runTurn: _, ...agentOptions } = agent;
      return agentOptions;
    },
    async *runTurn(turn) {
      // `agentOptions` is called before the first turn.
      if (runTurn !== undefined) yield* runTurn(turn);
    },
  };
}

async function referenceAgent(options: HeadlessOptions): Promise<ReferenceAgent> {
  const [{ createReferenceAgent }, { createNodeTools }] = await Promise.all([
    import('../../index.ts'),
    import('../../node.ts'),
  ]);
  const {
    tools,
    addDir = [],
    permissionPrompts,
    permissionPromptTool,
    settings,
    disallowedTools = [],
    ...others
  } = options;
  const isAsked = permissionPrompts !== 'none' && permissionPromptTool !== undefined;
  const isChosen = (name: string) => !Array.isArray(tools) || tools.includes(name);
  return createReferenceAgent({
    ...others,
    // The runner has already read a settings file that was given by its path.
    ...(typeof settings === 'object' && { settings }),
    ...(isAsked && { permissionPromptTool }),
    cwd: process.cwd(),
    home: homedir(),
    addDir: addDir.map((directory) => resolve(directory)),
    tools: createNodeTools().filter(({ name }) => isChosen(name)),
    disallowedTools: [...disallowedTools, ...INNER_TOOLS.filter((name) => !isChosen(name))],
  });
}
