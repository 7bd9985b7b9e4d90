import { matchesRule, type RuleSubject } from './matches-rule.ts';
import { absolutePath } from './paths.ts';
import { type PermissionRules, PRECEDENCE } from './permission-rules.ts';
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
  readonly behavior: Behavior;
  readonly source: 'rule' | 'default' | 'error';
  /** The rule that decided, where one did. */
  readonly rule?: PermissionRule;
  /** The reason in words, such as `rule deny Read(//etc/**)`. */
  readonly by: string;
}

/**
 * Decides about a call: by the first rule that denies, else the first that asks, else the first that allows, else the default. Never
 * rejects: where a step fails, such as following a link, the call is denied.
 */
export async function decidePermission(
  rules: PermissionRules,
  call: ToolCall,
  context: RuleContext,
): Promise<PermissionDecision> {
  try {
    const views = await viewsOf(call, context);
    for (const behavior of PRECEDENCE) {
      const rule = rules[behavior].find((each) => {
        const holds = ({ subject, cwd }: View) => matchesRule(each, subject, { behavior, cwd, home: context.home });
        return behavior === 'allow' ? views.every(holds) : views.some(holds);
      });
      if (rule !== undefined) return { behavior, source: 'rule', rule, by: `rule ${behavior} ${formatRule(rule)}` };
    }
    return { behavior: rules.default, source: 'default', by: `no rule, default ${rules.default}` };
  } catch (error) {
    return {
      behavior: 'deny',
      source: 'error',
      by: `an error: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** A call as rules see it: with the paths that it names, or with the targets of its links. */
interface View {
  readonly subject: RuleSubject;
  readonly cwd: string;
}

async function viewsOf(call: ToolCall, { cwd, home, followLinks }: RuleContext): Promise<readonly View[]> {
  const subject = subjectOf(call, cwd, home);
  const named = { subject, cwd };
  if (followLinks === undefined || subject.kind !== 'path') return [named];
  // After a link, `..` is another folder than the text says. The agent may use either folder, so both count.
  const paths = [...new Set([...subject.values, ...pathsOf(call, cwd, home)])];
  const [folder = cwd, ...values] = await Promise.all([cwd, ...paths].map(async (path) => followLinks(path)));
  const real = values.map((path) => absolutePath(path, folder));
  return [named, { subject: { ...subject, values: real }, cwd: folder }];
}
