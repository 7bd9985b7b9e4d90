import * as z from 'zod';

import type { StepFields } from '../steps/step-schemas.ts';

/** The steps that only cases of servers have. */
export const serverSteps = {
  open: { open: z.string() },
} satisfies StepFields;

/** What a server needs before a case. */
export const serverStart = z.looseObject({});
