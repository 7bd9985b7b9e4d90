import { parseConfig, RepeatedNameError } from '@proto/core/internal';
import { type Behavior, parseRule, type PermissionRule, PermissionRulesError } from './rule.ts';

/** Rules for an agent's tool calls. A rule that denies takes precedence over a rule that asks, and a rule that asks over a rule that allows. */
export interface PermissionRules {
  /** The rules for calls to deny. */
  readonly deny: readonly PermissionRule[];
  /** The rules for calls that a person must decide. */
  readonly ask: readonly PermissionRule[];
  /** The rules for calls to allow, unless a rule denies or asks. */
  readonly allow: readonly PermissionRule[];
  /** What happens to calls that no rule matches. */
  readonly default: Behavior;
}

/** Permission rules, given as strings. */
export interface PermissionRulesText {
  /** The rules for calls to allow, unless a rule denies or asks, such as `Bash(git log *)`. Default: none. */
  readonly allow?: readonly string[] | undefined;
  /** The rules for calls that a person must decide. Default: none. */
  readonly ask?: readonly string[] | undefined;
  /** The rules for calls to deny. Default: none. */
  readonly deny?: readonly string[] | undefined;
  /** What happens to calls that no rule matches. Default `deny`. */
  readonly default?: Behavior | undefined;
}

const PRECEDENCE: readonly Behavior[] = ['deny', 'ask', 'allow'];

/**
 * Reads rules from JSON: `{ "allow": ["Read", "Bash(git log *)"], "ask": […], "deny": ["Read(//etc/**)"], "default": "deny" }`.
 *
 * @throws {PermissionRulesError} if the text is not such JSON, for example because of an unknown member or an invalid rule.
 */
export function parsePermissionRules(json: string): PermissionRules {
  let value: unknown;
  try {
    value = parseConfig(json);
  } catch (cause) {
    if (cause instanceof RepeatedNameError) throw new PermissionRulesError(cause.message, { cause });
    throw new PermissionRulesError(`rules must be JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PermissionRulesError('rules must be an object');
  return createPermissionRules(value);
}

/**
 * Creates rules from data. Later changes to `text` have no effect on the created rules.
 *
 * @example
 * ```ts
 * import { createPermissionRules } from '@proto/permissions';
 *
 * const rules = createPermissionRules({ allow: ['Read', 'Bash(git log *)'], deny: ['Read(//etc/**)'], default: 'ask' });
 * ```
 *
 * @throws {PermissionRulesError} if a member, a list or a rule is invalid.
 */
export function createPermissionRules(text: PermissionRulesText): PermissionRules {
  const { default: otherwise = 'deny', ...lists } = text;
  if (!PRECEDENCE.includes(otherwise)) throw new PermissionRulesError('"default" must be "allow", "deny" or "ask"');
  for (const name of Object.keys(lists)) {
    if (!PRECEDENCE.includes(name as Behavior)) {
      throw new PermissionRulesError(
        `"${name}" is not known; the known members are "allow", "deny", "ask" and "default"`,
      );
    }
  }
  const { deny, ask, allow } = lists;
  return {
    deny: parseRuleList('deny', deny),
    ask: parseRuleList('ask', ask),
    allow: parseRuleList('allow', allow),
    default: otherwise,
  };
}

/**
 * Reads one list of rules. Returns no rules for an absent list.
 *
 * @throws {PermissionRulesError} if the value is not a list or contains an entry that is not a rule. The message begins with the name in quotes.
 */
export function parseRuleList(name: string, list: unknown): readonly PermissionRule[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new PermissionRulesError(`"${name}" must be a list of rules`);
  return list.map((text: unknown) => {
    if (typeof text !== 'string')
      throw new PermissionRulesError(
        `"${name}": ${JSON.stringify(text)} is not a valid rule; a rule looks like "Bash(git log *)"`,
      );
    try {
      return parseRule(text);
    } catch (cause) {
      throw new PermissionRulesError(`"${name}": ${(cause as Error).message}`, { cause });
    }
  });
}
