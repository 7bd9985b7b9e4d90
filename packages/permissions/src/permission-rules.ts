import { type Behavior, parseRule, type PermissionRule, PermissionRulesError } from './rule.ts';

/** Rules for the calls of an agent. What is denied is not asked for, and what is asked for is not allowed. */
export interface PermissionRules {
  readonly deny: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
  readonly allow: readonly PermissionRule[];
  /** For calls that no rule is about. */
  readonly default: Behavior;
}

/** Rules as people write them. */
export interface PermissionRulesText {
  /** Each as in `Bash(git log *)`. Default: none. */
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** For calls that no rule is about. Default: `deny`. */
  readonly default?: Behavior | undefined;
}

/** The order in which lists of rules decide. */
export const PRECEDENCE: readonly Behavior[] = ['deny', 'ask', 'allow'];

/**
 * Reads rules from JSON: `{ "allow": ["Read", "Bash(git log *)"], "ask": […], "deny": ["Read(//etc/**)"], "default": "deny" }`.
 *
 * @throws {PermissionRulesError} for all that is not exactly this, such as a member or a rule that is not known.
 */
export function parsePermissionRules(json: string): PermissionRules {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new PermissionRulesError(`rules must be JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PermissionRulesError('rules must be an object');
  return createPermissionRules(value);
}

/**
 * Makes rules of data that a program has. The rules are a copy: what is changed in `text` later changes no rule.
 *
 * @throws {PermissionRulesError} for a member, a list or a rule that is not understood.
 */
export function createPermissionRules(text: PermissionRulesText): PermissionRules {
  const { default: otherwise = 'deny', ...lists } = text;
  if (!PRECEDENCE.includes(otherwise)) throw new PermissionRulesError('"default" must be "allow", "deny" or "ask"');
  for (const name of Object.keys(lists)) {
    if (!PRECEDENCE.includes(name as Behavior)) {
      throw new PermissionRulesError(`"${name}" is not known; there are "allow", "deny", "ask" and "default"`);
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
 * Reads one list of rules; an absent one has none.
 *
 * @throws {PermissionRulesError} for what is no list, and for what is no rule in it; the text begins with the name in quotes.
 */
export function parseRuleList(name: string, list: unknown): readonly PermissionRule[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new PermissionRulesError(`"${name}" must be a list of rules`);
  return list.map((text: unknown) => {
    if (typeof text !== 'string')
      throw new PermissionRulesError(`"${name}": ${JSON.stringify(text)} is no rule such as "Bash(git log *)"`);
    try {
      return parseRule(text);
    } catch (cause) {
      throw new PermissionRulesError(`"${name}": ${(cause as Error).message}`, { cause });
    }
  });
}
