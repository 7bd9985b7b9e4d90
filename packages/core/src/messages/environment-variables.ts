import { object } from './object-schema.ts';
import { type Infer, lazy, literal, record, string } from './schema.ts';

/** Schema of `SDKUpdateEnvironmentVariablesMessage`. */
export const updateEnvironmentVariablesMessage = lazy(() =>
  object({ type: literal('update_environment_variables'), variables: record(string) }),
);

/** Environment variables the agent shall use from now on. Seen, not declared. */
export type SDKUpdateEnvironmentVariablesMessage = Infer<typeof updateEnvironmentVariablesMessage>;
