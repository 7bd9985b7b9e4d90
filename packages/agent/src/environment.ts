import { isRecord } from '@proto/core/internal';
import { type AgentOptions, DEFAULT_ENVIRONMENT_NAMES } from './agent-options.ts';

/** Hands on the variables that the host refreshes: those on the list, and texts only. */
export function refreshEnvironment(
  variables: unknown,
  { applyEnvironment, environmentNames = DEFAULT_ENVIRONMENT_NAMES }: AgentOptions,
): void {
  if (!isRecord(variables)) return;
  const taken = Object.entries(variables).filter(
    ([name, value]) => environmentNames.includes(name) && typeof value === 'string',
  );
  if (taken.length > 0) applyEnvironment?.(Object.fromEntries(taken) as Record<string, string>);
}
