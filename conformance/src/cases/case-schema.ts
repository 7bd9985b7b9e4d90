import * as z from 'zod';

import { agentStart, agentSteps } from '../agent/agent-steps.ts';
import { hostStart, hostSteps } from '../host/host-steps.ts';
import { serverStart, serverSteps } from '../server/server-steps.ts';
import { commonSteps, REQUIREMENT, type StepFields, stepSchema } from './step-schemas.ts';

/** The sides of the protocol that can be tested. */
export const SIDES = ['agent', 'host', 'server'] as const;

/** A side of the protocol that can be tested: an agent, a host or a session server. */
export type Side = (typeof SIDES)[number];

/**
 * What a failure of a case means. `must`: the program does not conform. `should`: the program gets a warning. `may`: the failure is reported for
 * information only.
 */
export const LEVELS = ['must', 'should', 'may'] as const;

/** What a failure of a case means. */
export type Level = (typeof LEVELS)[number];

const startOfSide = { agent: agentStart, host: hostStart, server: serverStart };

export const stepsOfSide: Readonly<Record<Side, StepFields>> = {
  agent: { ...commonSteps, ...agentSteps },
  host: { ...commonSteps, ...hostSteps },
  server: { ...commonSteps, ...serverSteps },
};

export function caseSchema(side: Side): z.ZodObject {
  const steps = Object.values(stepsOfSide[side]).map(stepSchema) as [z.ZodObject, ...z.ZodObject[]];
  return z.strictObject({
    id: z
      .string()
      .regex(new RegExp(`^${side}/[a-z0-9-]+/[a-z0-9-]+$`))
      .describe('SIDE/SUBJECT/NAME'),
    title: z.string().min(10).describe('what the case checks, as a sentence that is true if the case passes'),
    spec: z
      .array(z.string().regex(REQUIREMENT))
      .min(1)
      .describe(
        'the requirements that the case checks, the main requirement first; requirements that steps name are added',
      ),
    level: z.enum(LEVELS).optional().describe('default: the strongest level of the requirements'),
    needs: z.array(z.string()).optional().describe('what the program must have declared'),
    start: startOfSide[side].optional(),
    steps: z.array(z.union(steps)).min(1).optional(),
    generator: z.string().optional().describe('the name of a program that generates the steps'),
    seed: z.number().int().optional().describe('the seed of the generator'),
  });
}

/** One case of the suite. */
export interface Case {
  /** The id of the case, such as `agent/permissions/deny-keeps-turn`. */
  readonly id: string;
  /** What must be true, as a sentence. Reports show this title. */
  readonly title: string;
  /** The side of the protocol that the program under test is on, which is the first part of the id. */
  readonly side: Side;
  /** The requirements that the case checks. The main requirement is the first, and the requirements of the steps are the last. */
  readonly spec: readonly string[];
  /** What a failure of the case means. Default: the strongest level among the requirements of the case. */
  readonly level: Level;
  /** What the program must have declared, such as `prompt.tool`. */
  readonly needs: readonly string[];
  /** How the program is started. The fields depend on the side. */
  readonly start: Readonly<Record<string, unknown>>;
  /** The steps, in order. The list is empty if a generator creates the steps. */
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  /** The name of the generator that creates the steps, for a case without steps. */
  readonly generator?: string;
  /** An integer with which the generator creates the same steps in each run. */
  readonly seed?: number;
}

/** A requirement of the specification. */
export interface Requirement {
  /** The id, such as `PRM-12`: the prefix of the chapter and a number, unique in the specification. */
  readonly id: string;
  /** The number of the section that contains the requirement, such as `5.2`. */
  readonly section: string;
  /** The title of the section that contains the requirement. */
  readonly title: string;
  /** The level of the requirement, such as `MUST NOT`. */
  readonly level: string;
  /** The parties that must meet the requirement, such as `agent` and `host`. */
  readonly roles: readonly string[];
  /** The sentence of the specification that states the requirement. */
  readonly text: string;
}

/** The cases of all sides, with the requirements of the specification. The content of `cases.json`. */
export interface Suite {
  /** The version of the specification, such as `1.0-draft`. */
  readonly spec: string;
  /** The requirements of the specification. */
  readonly requirements: readonly Requirement[];
  /** The cases of all sides. */
  readonly cases: readonly Case[];
}
