import { object, optional } from '../object-schema.ts';
import { boolean, type Infer, lazy, literal, number, openEnum, string } from '../schema.ts';
import { chosenUnion } from '../union-schema.ts';
import { hookSpecificOutput } from './hook-events.ts';

/** Schema of `AsyncHookJSONOutput`. */
export const asyncHookJSONOutput = lazy(() => object({ async: literal(true), asyncTimeout: optional(number) }));

/** The hook goes on by itself: what it was called for happens at once. */
export type AsyncHookJSONOutput = Infer<typeof asyncHookJSONOutput>;

/** Schema of `SyncHookJSONOutput`. */
export const syncHookJSONOutput = lazy(() =>
  object({
    continue: optional(boolean),
    suppressOutput: optional(boolean),
    stopReason: optional(string),
    decision: optional(openEnum(['approve', 'block'])),
    systemMessage: optional(string),
    terminalSequence: optional(string),
    reason: optional(string),
    hookSpecificOutput: optional(hookSpecificOutput),
  }),
);

/** What a hook decided; an empty object is no opinion. */
export type SyncHookJSONOutput = Infer<typeof syncHookJSONOutput>;

/** Schema of `HookJSONOutput`. Told apart by `async: true`: all else is the answer of a hook that has decided. */
export const hookJSONOutput = chosenUnion([asyncHookJSONOutput, syncHookJSONOutput], (value) =>
  isAsync(value) ? asyncHookJSONOutput : syncHookJSONOutput,
);

/** The answer of a hook. */
export type HookJSONOutput = Infer<typeof hookJSONOutput>;

function isAsync(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'async' in value && value.async === true;
}
