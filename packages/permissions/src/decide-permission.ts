import type { Comparison } from './compare-command.ts';
import { compareRule, isTooLong, type RuleSubject, rulesThatAllow } from './matches-rule.ts';
import { namesTool } from './names-tool.ts';
import { absolutePath } from './paths.ts';
import type { PermissionRules } from './permission-rules.ts';
import { type Behavior, formatRule, type PermissionRule } from './rule.ts';
import { pathsOf, subjectOf, type ToolCall } from './tool-call.ts';

/** Where calls are made: the folders that paths and patterns refer to. */
export interface RuleContext {
  /** The working folder of the agent: its paths and the patterns of rules begin there. */
  readonly cwd: string;
  /** What `~/` stands for. Without it a rule with `~/` allows nothing, and denies or asks for every path. */
  readonly home?: string | undefined;
  /**
   * Follows all links in a path, for agents on this machine: `followLinks` of `@proto/permissions/node`. With this option,
   * rules that deny or ask hold for both paths, and rules that allow must hold for both. Without it, only the path that the agent
   * named counts, and a link may lead out of a folder that is allowed.
   */
  readonly followLinks?: ((path: string) => string | Promise<string>) | undefined;
}

/** What the rules decide about a call, and the rule that decided. */
export interface PermissionDecision {
  /** What happens to the call; `ask` leaves it to a person. */
  readonly behavior: Behavior;
  /** What decided: a rule, the default for calls that no rule matches, or an error, which denies the call. */
  readonly source: 'rule' | 'default' | 'error';
  /** The rule that decided; absent if the default or an error decided. */
  readonly rule?: PermissionRule;
  /** The reason in words, such as `rule deny Read(//etc/**)`. */
  readonly by: string;
}

/**
 * Decides about a call: by the first rule that denies, else the first that asks, else the first that allows, else the default. If a rule
 * that denies cannot decide about the call, a person is asked; so too for a command of more than 64 KiB characters for which rules exist. Never
 * rejects: if a step fails, such as following a link, the call is denied.
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

/** A call as rules see it: with the paths that it names, or with the targets of its links. */
interface View {
  readonly subject: RuleSubject;
  readonly cwd: string;
}

async function viewsOf(call: ToolCall, { cwd, home, followLinks }: RuleContext): Promise<readonly View[]> {
  const subject = subjectOf(call, cwd, home);
  const named = { subject, cwd };
  if (followLinks === undefined || (subject.kind !== 'path' && subject.kind !== 'search')) return [named];
  // After a link, `..` is another folder than the text says. The agent may use either folder, so both count.
  const paths = [...new Set([...subject.values, ...pathsOf(call, cwd, home)])];
  const [folder = cwd, ...values] = await Promise.all([cwd, ...paths].map(async (path) => followLinks(path)));
  const real = values.map((path) => absolutePath(path, folder));
  return [named, { subject: { ...subject, values: real }, cwd: folder }];
}
