import * as z from 'zod/mini';
import { chosenUnion, type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { hookSpecificOutput } from './hook-events.ts';

/** Schema of `AsyncHookJSONOutput`. */
export const asyncHookJSONOutput = lazy(() => object({ async: z.literal(true), asyncTimeout: optional(z.number()) }));

/** The hook goes on by itself: what it was called for happens at once. */
export type AsyncHookJSONOutput = Infer<typeof asyncHookJSONOutput>;

/** Schema of `SyncHookJSONOutput`. */
export const syncHookJSONOutput = lazy(() =>
  object({
    continue: optional(z.boolean()),
    suppressOutput: optional(z.boolean()),
    stopReason: optional(z.string()),
    decision: optional(openEnum(['approve', 'block'])),
    systemMessage: optional(z.string()),
    terminalSequence: optional(z.string()),
    reason: optional(z.string()),
    hookSpecificOutput: optional(hookSpecificOutput()),
  }),
);

/** What a hook decided; an empty object is no opinion. */
export type SyncHookJSONOutput = Infer<typeof syncHookJSONOutput>;

/** Schema of `HookJSONOutput`. Told apart by `async: true`: all else is the answer of a hook that has decided. */
export const hookJSONOutput = lazy(() => {
  const asynchronous = asyncHookJSONOutput();
  const synchronous = syncHookJSONOutput();
  return chosenUnion([asynchronous, synchronous], (value) => (isAsync(value) ? asynchronous : synchronous));
});

/** The answer of a hook. */
export type HookJSONOutput = Infer<typeof hookJSONOutput>;

function isAsync(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'async' in value && value.async === true;
}
