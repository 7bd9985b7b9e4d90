import * as z from 'zod';

import type { StepFields } from '../steps/step-schemas.ts';

/** The steps that only cases of agents have. */
export const agentSteps = {
  close: { close: z.literal('input') },
} satisfies StepFields;

/** How an agent is started for a case. */
export const agentStart = z.strictObject({
  args: z.array(z.string()).optional().describe('arguments after those that hosts pass'),
});
