import * as z from 'zod/mini';
import { hookSpecificOutput } from './hook-events.ts';
import { openEnum, protocol } from '../open.ts';

export const asyncHookJSONOutput = z
  .looseObject({ async: z.literal(true), asyncTimeout: z.optional(z.number()) })
  .register(protocol, {
    id: 'AsyncHookJSONOutput',
    description: 'The hook goes on by itself: what it was called for happens at once.',
  });

export const syncHookJSONOutput = z
  .looseObject({
    async: z.optional(z.literal(false)),
    continue: z.optional(z.boolean()),
    suppressOutput: z.optional(z.boolean()),
    stopReason: z.optional(z.string()),
    decision: z.optional(openEnum(['approve', 'block'])),
    systemMessage: z.optional(z.string()),
    terminalSequence: z.optional(z.string()),
    reason: z.optional(z.string()),
    hookSpecificOutput: z.optional(hookSpecificOutput),
  })
  .register(protocol, { id: 'SyncHookJSONOutput', description: 'What a hook decided; an empty object is no opinion.' });

export const hookJSONOutput = z
  .discriminatedUnion('async', [asyncHookJSONOutput, syncHookJSONOutput])
  .register(protocol, { id: 'HookJSONOutput', description: 'The answer of a hook.' });
