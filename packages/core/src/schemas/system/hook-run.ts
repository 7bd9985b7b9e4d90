import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { openEnum, protocol } from '../open.ts';

const ofHookRun = {
  hook_id: z.string().check(z.describe('The same in all messages on one run of the hook.')),
  hook_name: z.string().check(z.describe('A label of the hook, to show.')),
  hook_event: z.string().check(z.describe('The event that the hook runs on, such as `SessionStart`.')),
};
const bothOutputs = z.describe('What `stdout` and `stderr` hold, together.');

export const hookStartedMessage = systemMessage('hook_started', ofHookRun).register(protocol, {
  id: 'SDKHookStartedMessage',
  description: 'A hook began to run.',
});

export const hookProgressMessage = systemMessage('hook_progress', {
  ...ofHookRun,
  stdout: z.string(),
  stderr: z.string(),
  output: z.string().check(bothOutputs),
}).register(protocol, { id: 'SDKHookProgressMessage', description: 'What a hook wrote so far.' });

export const hookResponseMessage = systemMessage('hook_response', {
  ...ofHookRun,
  output: z.string().check(bothOutputs),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.optional(z.number()).check(z.describe('Present only where the hook is a command.')),
  outcome: openEnum(['success', 'error', 'cancelled']),
}).register(protocol, { id: 'SDKHookResponseMessage', description: 'A hook is done.' });
