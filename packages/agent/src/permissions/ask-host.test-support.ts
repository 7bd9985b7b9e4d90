import type { PermissionResult } from '@proto/core/messages';
import { watchedSignal } from '@proto/test-support';
import { vi } from 'vitest';
import { type CanUseToolOptions, createCanUseTool } from './ask-host.ts';
import { askPermissionHooks } from './permission-hooks.ts';
import type { OwnPermissionHooks, PermissionContext } from './permission-rules.ts';
import { createScriptedHost } from '../scripted-host.test-support.ts';

export const INPUT = { command: 'ls' };

// A host that has registered no hooks.
const NO_HOOKS = { matching: () => [], inputOf: <T>(call: T) => call };

export const askOwnHooks = (own: OwnPermissionHooks) => askPermissionHooks(NO_HOOKS, own);

/** A permission bridge to a scripted host, for one call at a time. */
export function createBridge(options: Partial<CanUseToolOptions> = {}) {
  const host = createScriptedHost();
  const watched = watchedSignal();
  const canUseTool = createCanUseTool({ session: host.pending, ...options });
  const ask = (context: Partial<PermissionContext> = {}) =>
    canUseTool('Bash', INPUT, { toolUseID: 'T1', signal: watched.signal, ...context });
  return { ...host, ...watched, canUseTool, ask };
}

export function hookByHand() {
  let decide: (result: PermissionResult | undefined) => void = () => {};
  let break_: (error: unknown) => void = () => {};
  const run = vi.fn(
    () =>
      new Promise<PermissionResult | undefined>((resolve, reject) => {
        decide = resolve;
        break_ = reject;
      }),
  );
  return {
    run,
    decide: (result: PermissionResult | undefined) => decide(result),
    break: (error: unknown) => break_(error),
  };
}

/** Whether a promise is still open after all pending work has run. */
export async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  void promise.then(() => {
    open = false;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return open;
}
