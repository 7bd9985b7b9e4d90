import * as z from 'zod/mini';

import { type Infer, lazy, object } from './schema.ts';

/** Schema of `SDKUpdateEnvironmentVariablesMessage`. */
export const updateEnvironmentVariablesMessage = lazy(() =>
  object({ type: z.literal('update_environment_variables'), variables: z.record(z.string(), z.string()) }),
);

/** Environment variables the agent shall use from now on. Seen, not declared. */
export type SDKUpdateEnvironmentVariablesMessage = Infer<typeof updateEnvironmentVariablesMessage>;
