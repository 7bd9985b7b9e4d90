/** What a rule does with a call: permit it, refuse it, or leave it to a person. */
export type Behavior = 'allow' | 'deny' | 'ask';

/** A rule for tool calls, as the wire has it (`PermissionRuleValue`): a tool, and a pattern of what its calls are about. */
export interface PermissionRule {
  readonly toolName: string;
  /** Absent, empty or `*` for every call of the tool. */
  readonly ruleContent?: string | undefined;
}

/** Rules that cannot be used: text that is no rule, a list that is none, or a file that cannot be read. */
export class PermissionRulesError extends Error {
  override readonly name = 'PermissionRulesError';
  /** The file that holds the rules, where they come from one. */
  readonly file: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly file?: string } = {}) {
    super(message, options);
    this.file = options.file;
  }
}

// The name of a tool may hold asterisks; what follows it is one pair of parentheses around everything else.
const RULE = /^([\w*.:/@-]+)(?:\((.*)\))?$/s;

/**
 * Reads a rule as command lines and settings have it: `Bash`, `Bash(git log *)`, `Read(./src/**)`, `mcp__server__tool`.
 *
 * @throws {PermissionRulesError} for any other text: a rule that is not understood must not be left out in silence.
 */
export function parseRule(text: string): PermissionRule {
  const [, toolName, ruleContent] = RULE.exec(text.trim()) ?? [];
  if (toolName === undefined)
    throw new PermissionRulesError(`${JSON.stringify(text)} is no rule such as "Bash(git log *)"`);
  if (ruleContent?.startsWith('!') === true) {
    throw new PermissionRulesError(
      `${JSON.stringify(text)} is an exception, and rules have none: deny outweighs ask, and ask allow`,
    );
  }
  return ruleContent === undefined ? { toolName } : { toolName, ruleContent };
}

/** Writes a rule as `parseRule` reads it. */
export function formatRule({ toolName, ruleContent }: PermissionRule): string {
  return (ruleContent ?? '') === '' ? toolName : `${toolName}(${ruleContent})`;
}

/** Whether two rules are the same. */
export function isSameRule(a: PermissionRule, b: PermissionRule): boolean {
  return a.toolName === b.toolName && (a.ruleContent ?? '') === (b.ruleContent ?? '');
}
