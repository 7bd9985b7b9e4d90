import { ControlError } from '@proto/core';
import { type Behavior, parseRuleList, type PermissionRule } from '@proto/permissions';

/** Rules by what they do. */
export type RulesByBehavior = Readonly<Record<Behavior, readonly PermissionRule[]>>;

/** The rules of settings; undefined where they have none, so that earlier ones stay. Throws a `ControlError` for what is no list of rules. */
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
