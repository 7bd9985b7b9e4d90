import type { Comparison } from './compare-command.ts';
import { compareRule, isTooLong, type RuleSubject, rulesThatAllow } from './matches-rule.ts';
import { namesTool } from './names-tool.ts';
import { absolutePath } from './paths.ts';
import type { PermissionRules } from './permission-rules.ts';
import { type Behavior, formatRule, type PermissionRule } from './rule.ts';
import { pathsOf, subjectOf, type ToolCall } from './tool-call.ts';

/** The folders that the paths in calls and the patterns in rules refer to. */
export interface RuleContext {
  /** The agent's working folder. The agent's paths and the patterns of rules are relative to this folder. */
  readonly cwd: string;
  /**
   * The folder that `~/` stands for. If absent, a rule with `~/` in its pattern matches no path if the rule allows, and every path if the rule denies
   * or asks.
   */
  readonly home?: string | undefined;
  /**
   * Follows all links in a path, for agents on this machine: pass `followLinks` from `@proto/permissions/node`. With this option, a rule that denies
   * or asks applies if it matches the named path or its target, and a rule that allows must match the named path and its target. Without this option,
   * only the path that the agent named is checked, so a link may lead out of an allowed folder.
   */
  readonly followLinks?: ((path: string) => string | Promise<string>) | undefined;
}

/** What the rules decided about a call, and which rule decided. */
export interface PermissionDecision {
  /** What happens to the call. `ask` means that a person must decide. */
  readonly behavior: Behavior;
  /** What made the decision: a rule, the default for calls that no rule matches, or an error, which denies the call. */
  readonly source: 'rule' | 'default' | 'error';
  /** The rule that decided. Absent if the default or an error decided. */
  readonly rule?: PermissionRule;
  /** The reason in words, such as `rule deny Read(//etc/**)`. */
  readonly by: string;
}

/**
 * Decides about a call. Matching rules that deny are applied first, then matching rules that ask, then matching rules that allow, and then the
 * default. If it is uncertain whether a rule that denies matches the call, a person is asked. A person is also asked if a command is longer than
 * 65 536 characters and there are rules for commands. Never rejects, because the call is denied if a step fails, such as following a link.
 */
export async function decidePermission(
  rules: PermissionRules,
  call: ToolCall,
  context: RuleContext,
): Promise<PermissionDecision> {
  try {
    const views = await viewsOf(call, context);
    const { home } = context;
    const compared = (behavior: Behavior, comparison: Comparison) =>
      rules[behavior].find((rule) =>
        views.some(({ subject, cwd }) => compareRule(rule, subject, { behavior, cwd, home }) === comparison),
      );
    const denying = compared('deny', 'matches');
    if (denying !== undefined) return decided('deny', [denying]);
    const undecided = compared('deny', 'undecided');
    if (undecided !== undefined) return { ...decided('ask', [undecided]), by: `undecided: ${formatRule(undecided)}` };
    const asking = compared('ask', 'matches') ?? compared('ask', 'undecided') ?? allowRuleOfTooLong(rules, views);
    if (asking !== undefined) return decided('ask', [asking]);
    const allowing = views.map(({ subject, cwd }) => rulesThatAllow(rules.allow, subject, { cwd, home }));
    if (allowing.every((each) => each !== undefined)) return decided('allow', [...new Set(allowing.flat())]);
    return { behavior: rules.default, source: 'default', by: `no rule, default ${rules.default}` };
  } catch (error) {
    return {
      behavior: 'deny',
      source: 'error',
      by: `an error: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function decided(behavior: Behavior, rules: readonly PermissionRule[]): PermissionDecision {
  const [rule] = rules as readonly [PermissionRule];
  return { behavior, source: 'rule', rule, by: `rule ${behavior} ${rules.map(formatRule).join(', ')}` };
}

function allowRuleOfTooLong(rules: PermissionRules, views: readonly View[]): PermissionRule | undefined {
  const long = views.find(({ subject }) => subject.kind === 'command' && isTooLong(subject));
  return long && rules.allow.find(({ toolName }) => namesTool(toolName, long.subject.tool, false));
}

/** A call has two forms: with the paths that the call names, and with the targets of links in these paths. */
interface View {
  readonly subject: RuleSubject;
  readonly cwd: string;
}

async function viewsOf(call: ToolCall, { cwd, home, followLinks }: RuleContext): Promise<readonly View[]> {
  const subject = subjectOf(call, cwd, home);
  const named = { subject, cwd };
  if (followLinks === undefined || (subject.kind !== 'path' && subject.kind !== 'search')) return [named];
  // After a link, `..` leads to a different folder than the text suggests. The agent may use either folder, so both are checked.
  const paths = [...new Set([...subject.values, ...pathsOf(call, cwd, home)])];
  const [folder = cwd, ...values] = await Promise.all([cwd, ...paths].map(async (path) => followLinks(path)));
  const real = values.map((path) => absolutePath(path, folder));
  return [named, { subject: { ...subject, values: real }, cwd: folder }];
}
