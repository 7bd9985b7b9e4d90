import * as z from 'zod';

import type { StepFields } from '../steps/step-schemas.ts';

/** The steps that only cases of hosts have. */
export const hostSteps = {
  exit: { exit: z.number().int() },
} satisfies StepFields;

/** What the user of a host does in a case. */
export const hostStart = z.looseObject({});
