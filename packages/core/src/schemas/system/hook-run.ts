import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { openEnum, protocol } from '../open.ts';

const ofHookRun = {
  hook_id: z.string().check(z.describe('The id of one run of the hook, the same in all messages about this run.')),
  hook_name: z.string().check(z.describe('A label for the hook, for display.')),
  hook_event: z.string().check(z.describe('The event that the hook runs for, such as `SessionStart`.')),
};
const bothOutputs = z.describe('The combined text of `stdout` and `stderr`.');

export const hookStartedMessage = systemMessage('hook_started', ofHookRun).register(protocol, {
  id: 'SDKHookStartedMessage',
  description: 'A hook has started.',
});

export const hookProgressMessage = systemMessage('hook_progress', {
  ...ofHookRun,
  stdout: z.string(),
  stderr: z.string(),
  output: z.string().check(bothOutputs),
}).register(protocol, { id: 'SDKHookProgressMessage', description: 'The output of a running hook so far.' });

export const hookResponseMessage = systemMessage('hook_response', {
  ...ofHookRun,
  output: z.string().check(bothOutputs),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.optional(z.number()).check(z.describe('The exit code of the hook. Present only if the hook is a command.')),
  outcome: openEnum(['success', 'error', 'cancelled']),
}).register(protocol, { id: 'SDKHookResponseMessage', description: 'A hook has ended.' });
