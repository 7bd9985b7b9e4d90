import { matchesRule, parseRule, type Rule } from '@proto/reference-agent';
import { subjectOf, type ToolCall } from './tool-call.ts';

/** What becomes of a call that an agent asks for. */
export type Behavior = 'allow' | 'deny' | 'ask';

/** Rules for the calls of an agent, as data. */
export interface PermissionRules {
  /** In the order in which they decide: what is denied is not asked for, and what is asked for is not allowed. */
  readonly lists: readonly { readonly behavior: Behavior; readonly rules: readonly Rule[] }[];
  /** For calls that no rule is about. */
  readonly otherwise: Behavior;
}

/** What the rules say of a call, and which of them. */
export interface RuleDecision {
  readonly behavior: Behavior;
  readonly by: string;
}

const ORDER: readonly Behavior[] = ['deny', 'ask', 'allow'];

/**
 * Reads rules: `{ "allow": ["Read", "Bash(git log *)"], "ask": […], "deny": ["Read(//etc/**)"], "default": "deny" }`. Throws for
 * anything that is not that: a rule that is not understood must not be one that is left out.
 */
export function parsePermissionRules(text: string): PermissionRules {
  const { default: otherwise = 'deny', ...given } = objectOf(JSON.parse(text));
  if (!ORDER.includes(otherwise as Behavior)) throw new Error('"default" must be "allow", "deny" or "ask"');
  for (const name of Object.keys(given)) {
    if (!ORDER.includes(name as Behavior))
      throw new Error(`"${name}" is not known; there are "allow", "deny", "ask" and "default"`);
  }
  const lists = ORDER.map((behavior) => ({ behavior, rules: rulesOf(behavior, given[behavior] ?? []) }));
  return { lists, otherwise: otherwise as Behavior };
}

/** What rules say of a call. A rule that denies or asks holds for any part of a command, one that allows for the whole. */
export function decide(rules: PermissionRules, call: ToolCall, cwd: string): RuleDecision {
  const subject = { tool: call.name, about: subjectOf(call, cwd) };
  for (const { behavior, rules: list } of rules.lists) {
    const rule = list.find((each) => matchesRule(each, subject, { cwd, asWhole: behavior === 'allow' }));
    if (rule !== undefined) return { behavior, by: `rule ${behavior} ${textOf(rule)}` };
  }
  return { behavior: rules.otherwise, by: `no rule, default ${rules.otherwise}` };
}

function rulesOf(behavior: Behavior, list: unknown): readonly Rule[] {
  if (!Array.isArray(list)) throw new Error(`"${behavior}" must be a list of rules`);
  return list.map((text: unknown) => {
    if (typeof text !== 'string' || !/^[\w*.-]+(?:\(.*\))?$/s.test(text.trim())) {
      throw new Error(`"${behavior}" holds ${JSON.stringify(text)}, which is no rule such as "Bash(git log *)"`);
    }
    return parseRule(text);
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('rules must be an object');
  return { ...value };
}

function textOf({ toolName, ruleContent }: Rule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}
