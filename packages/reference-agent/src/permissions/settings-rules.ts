import { ControlError } from '@proto/core';
import { parseRule, type Rule } from './rule.ts';

/** Rules by what they do. */
export type RulesByBehavior = Readonly<Record<'allow' | 'deny' | 'ask', readonly Rule[]>>;

/** The rules of settings; undefined where they have none, so that earlier ones stay. Throws a `ControlError` for what is no list of rules. */
export function settingsRulesOf(settings: Readonly<Record<string, unknown>>): RulesByBehavior | undefined {
  if (!('permissions' in settings)) return undefined;
  const { permissions } = settings;
  return { allow: rulesOf(permissions, 'allow'), deny: rulesOf(permissions, 'deny'), ask: rulesOf(permissions, 'ask') };
}

function rulesOf(permissions: unknown, behavior: keyof RulesByBehavior): readonly Rule[] {
  const list = (permissions as Readonly<Record<string, unknown>> | null)?.[behavior] ?? [];
  if (!Array.isArray(list) || !list.every((rule) => typeof rule === 'string')) {
    throw new ControlError(`permissions.${behavior} is no list of rules`, { code: 'invalid_request' });
  }
  return list.map(parseRule);
}
