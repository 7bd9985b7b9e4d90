import { hostOfPattern, isDomainPattern } from './domain.ts';

/** What a rule does with a call: permit it, refuse it, or leave it to a person. */
export type Behavior = 'allow' | 'deny' | 'ask';

/** A rule for tool calls as on the wire (`PermissionRuleValue`): a tool, and a pattern for its calls. */
export interface PermissionRule {
  /** The name of the tool, which may contain `*` for any characters: `mcp__github__*`. */
  readonly toolName: string;
  /** The pattern. Absent, empty or `*` for every call of the tool. */
  readonly ruleContent?: string | undefined;
}

/** Thrown for rules that cannot be used: a text that is not a rule, a value that is not a list, or a file that cannot be read. */
export class PermissionRulesError extends Error {
  /** The name that identifies this error. */
  override readonly name = 'PermissionRulesError';
  /** The file that holds the rules; undefined for rules from elsewhere. */
  readonly file: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly file?: string } = {}) {
    super(message, options);
    this.file = options.file;
  }
}

// The name of a tool may hold asterisks. The rest is one pair of parentheses around the pattern.
const RULE = /^([\w*.:/@-]+)(?:\((.*)\))?$/s;

/**
 * Reads a rule as in command lines and settings: `Bash`, `Bash(git log *)`, `Read(./src/**)`, `mcp__server__tool`.
 *
 * @throws {PermissionRulesError} for any other text: a rule that is not understood must not be ignored.
 */
export function parseRule(text: string): PermissionRule {
  const [, toolName, ruleContent] = RULE.exec(text.trim()) ?? [];
  if (toolName === undefined)
    throw new PermissionRulesError(`${JSON.stringify(text)} is not a rule such as "Bash(git log *)"`);
  if (ruleContent?.startsWith('!') === true) {
    throw new PermissionRulesError(
      `${JSON.stringify(text)} is an exception, and rules have none: deny outweighs ask, and ask allow`,
    );
  }
  if (ruleContent !== undefined && isDomainPattern(ruleContent) && hostOfPattern(ruleContent) === undefined) {
    throw new PermissionRulesError(
      `${JSON.stringify(text)} can match no address: write the host alone, such as "WebFetch(domain:example.com)"`,
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
