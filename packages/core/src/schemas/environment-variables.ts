import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const updateEnvironmentVariablesMessage = openObject({
  type: z.literal('update_environment_variables'),
  variables: z.record(z.string(), z.string()).check(z.describe('Values by name; the published agent takes few names, and drops all others without a word.')),
}).register(protocol, {
  id: 'SDKUpdateEnvironmentVariablesMessage',
  description: 'Environment variables the agent shall use from now on. Seen, not declared.',
});
