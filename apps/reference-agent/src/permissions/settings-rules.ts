import { ControlError } from '@proto/core';
import { type Behavior, parseRuleList, type PermissionRule } from '@proto/permissions';

/** Rules by their behavior: allow, deny or ask. */
export type RulesByBehavior = Readonly<Record<Behavior, readonly PermissionRule[]>>;

/**
 * The rules of settings; undefined for settings without rules, in which case the earlier rules are kept.
 * @throws {ControlError} for a value that is not a list of rules.
 */
export function settingsRulesOf(settings: Readonly<Record<string, unknown>>): RulesByBehavior | undefined {
  if (!('permissions' in settings)) return undefined;
  const { permissions } = settings;
  return { allow: rulesOf(permissions, 'allow'), deny: rulesOf(permissions, 'deny'), ask: rulesOf(permissions, 'ask') };
}

function rulesOf(permissions: unknown, behavior: Behavior): readonly PermissionRule[] {
  try {
    return parseRuleList(
      `permissions.${behavior}`,
      (permissions as Readonly<Record<string, unknown>> | null)?.[behavior],
    );
  } catch (cause) {
    throw new ControlError((cause as Error).message, { code: 'invalid_request', cause });
  }
}
