import { hostOfPattern, isDomainPattern } from './domain.ts';

/** What a rule does with a call: allow it, deny it, or ask a person. */
export type Behavior = 'allow' | 'deny' | 'ask';

/** A rule for tool calls, in its wire format (`PermissionRuleValue`): a tool, and a pattern for its calls. */
export interface PermissionRule {
  /** The name of the tool. `*` matches any characters, as in `mcp__github__*`. */
  readonly toolName: string;
  /** The pattern. If the pattern is absent, empty or `*`, the rule applies to every call to the tool. */
  readonly ruleContent?: string | undefined;
}

/** Thrown if rules cannot be used, because a string is not a rule, a value is not a list, or a file cannot be read. */
export class PermissionRulesError extends Error {
  /** The name that identifies this error. */
  override readonly name = 'PermissionRulesError';
  /** The file that contains the rules. Undefined if the rules do not come from a file. */
  readonly file: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly file?: string } = {}) {
    super(message, options);
    this.file = options.file;
  }
}

// A tool name, which may contain asterisks, and optionally a pattern in one pair of parentheses.
const RULE = /^([\w*.:/@-]+)(?:\((.*)\))?$/s;

/**
 * Parses a rule in the form used on command lines and in settings: `Bash`, `Bash(git log *)`, `Read(./src/**)`, `mcp__server__tool`.
 *
 * @throws {PermissionRulesError} if the string is not a rule, because an invalid rule must not be ignored.
 */
export function parseRule(text: string): PermissionRule {
  const [, toolName, ruleContent] = RULE.exec(text.trim()) ?? [];
  if (toolName === undefined)
    throw new PermissionRulesError(`${JSON.stringify(text)} is not a valid rule; a rule looks like "Bash(git log *)"`);
  if (ruleContent?.startsWith('!') === true) {
    throw new PermissionRulesError(
      `${JSON.stringify(text)} is an exception, but rules cannot have exceptions: deny overrides ask, and ask overrides allow`,
    );
  }
  if (ruleContent !== undefined && isDomainPattern(ruleContent) && hostOfPattern(ruleContent) === undefined) {
    throw new PermissionRulesError(
      `${JSON.stringify(text)} cannot match any address: write only the host, such as "WebFetch(domain:example.com)"`,
    );
  }
  return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
}

/** Formats a rule so that `parseRule` can parse it. */
export function formatRule({ toolName, ruleContent }: PermissionRule): string {
  return (ruleContent ?? '') === '' ? toolName : `${toolName}(${ruleContent})`;
}

/** Whether two rules are the same. */
export function isSameRule(a: PermissionRule, b: PermissionRule): boolean {
  return a.toolName === b.toolName && (a.ruleContent ?? '') === (b.ruleContent ?? '');
}
