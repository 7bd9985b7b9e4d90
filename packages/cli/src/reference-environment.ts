import { resolve } from 'node:path';
import type { FlagOptions, HeadlessEnvironment, HeadlessOptions } from '@proto/headless';
import { createReferenceAgent, type ReferenceAgent } from '@proto/reference-agent';
import { createNodeTools } from '@proto/reference-agent/node';

/** The flags of the reference agent, beside those which work for every agent. */
const READS: readonly (keyof FlagOptions)[] = [
  'addDir',
  'allowDangerouslySkipPermissions',
  'allowedTools',
  'disallowedTools',
  'jsonSchema',
  'maxBudgetUsd',
  'maxTurns',
  'tools',
];

/** The reference agent on this machine, as an agent executable has it. */
export function referenceEnvironment(): Pick<HeadlessEnvironment, 'runTurn' | 'seams' | 'reads'> {
  let agent: ReferenceAgent | undefined;
  return {
    reads: READS,
    seams({ options }) {
      agent = referenceAgent(options);
      const { runTurn: _, ...seams } = agent;
      return seams;
    },
    // There is none before the seams have been asked for.
    runTurn: (turn) => (agent ?? referenceAgent(turn.options)).runTurn(turn),
  };
}

function referenceAgent({ tools, addDir = [], permissionPrompts, ...options }: HeadlessOptions): ReferenceAgent {
  const { permissionPromptTool, ...others } = options;
  const isAsked = permissionPrompts !== 'none' && permissionPromptTool !== undefined;
  const isChosen = ({ name }: { readonly name: string }) => !Array.isArray(tools) || tools.includes(name);
  return createReferenceAgent({
    ...others,
    ...(isAsked && { permissionPromptTool }),
    cwd: process.cwd(),
    addDir: addDir.map((directory) => resolve(directory)),
    tools: createNodeTools().filter(isChosen),
  });
}
