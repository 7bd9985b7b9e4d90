import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { FlagOptions, HeadlessEnvironment, HeadlessOptions } from '@proto/headless';
import type { ReferenceAgent } from '@proto/reference-agent';

/** The flags of the reference agent, beside those which work for every agent. */
const READS: readonly (keyof FlagOptions)[] = [
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

/** The reference agent on this machine, as an agent executable has it. */
export function referenceEnvironment(): Pick<HeadlessEnvironment, 'runTurn' | 'agentOptions' | 'reads'> {
  let runTurn: ReferenceAgent['runTurn'] | undefined;
  return {
    reads: READS,
    async agentOptions({ options }) {
      const agent = await referenceAgent(options);
      ({ runTurn } = agent);
      const { runTurn: _, ...agentOptions } = agent;
      return agentOptions;
    },
    async *runTurn(turn) {
      // The options are asked for before the first turn.
      if (runTurn !== undefined) yield* runTurn(turn);
    },
  };
}

/** Loads and makes it: an agent of the user's own does without. */
async function referenceAgent(options: HeadlessOptions): Promise<ReferenceAgent> {
  const [{ createReferenceAgent }, { createNodeTools }] = await Promise.all([
    import('@proto/reference-agent'),
    import('@proto/reference-agent/node'),
  ]);
  const { tools, addDir = [], permissionPrompts, permissionPromptTool, settings, ...others } = options;
  const isAsked = permissionPrompts !== 'none' && permissionPromptTool !== undefined;
  const isChosen = ({ name }: { readonly name: string }) => !Array.isArray(tools) || tools.includes(name);
  return createReferenceAgent({
    ...others,
    // A path of settings was read by the runner.
    ...(typeof settings === 'object' && { settings }),
    ...(isAsked && { permissionPromptTool }),
    cwd: process.cwd(),
    home: homedir(),
    addDir: addDir.map((directory) => resolve(directory)),
    tools: createNodeTools().filter(isChosen),
  });
}
