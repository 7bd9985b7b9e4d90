import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, protocol } from '../open.ts';

export const hookStartedMessage = systemMessage('hook_started', {
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
}).register(protocol, { id: 'SDKHookStartedMessage', description: 'A hook began to run.' });

export const hookProgressMessage = systemMessage('hook_progress', {
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  output: z.string(),
}).register(protocol, { id: 'SDKHookProgressMessage', description: 'What a hook wrote so far.' });

export const hookResponseMessage = systemMessage('hook_response', {
  hook_id: z.string(),
  hook_name: z.string(),
  hook_event: z.string(),
  output: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.optional(z.number()),
  outcome: openEnum(['success', 'error', 'cancelled']),
}).register(protocol, { id: 'SDKHookResponseMessage', description: 'A hook is done.' });
