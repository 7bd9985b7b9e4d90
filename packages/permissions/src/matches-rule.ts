import { compareCommandWidely, type Comparison, permitsLine } from './compare-command.ts';
import { comparePathWidely, compareSearchWidely, permitsPath, permitsSearch } from './compare-path.ts';
import { compareUnknownWidely, permitsUnknown } from './compare-unknown.ts';
import { compareAddress } from './domain.ts';
import { foldCase } from './paths.ts';
import { textGlob } from './glob.ts';
import { namesTool } from './names-tool.ts';
import { comparePowerShellWidely, permitsPowerShell } from './power-shell.ts';
import type { Behavior, PermissionRule } from './rule.ts';
import { readPlainLine } from './shell/plain-line.ts';

/** The part of a call that a rule is compared with. */
export interface RuleSubject {
  /** The name of the tool. */
  readonly tool: string;
  /**
   * The kind of the values. `search` means folders with all their content. `unknown` means all strings in a call to an unknown tool, such as an MCP
   * tool.
   */
  readonly kind: 'command' | 'path' | 'search' | 'url' | 'name' | 'unknown';
  /**
   * The command, the absolute paths of the files, the folders to search, the address, or the name. Empty if the call does not contain this
   * information.
   */
  readonly values: readonly string[];
}

/** How a rule is compared with a call. */
export interface RuleMatching {
  /** What the rule does. A rule that allows must match the whole call, whereas a rule that denies or asks need only match a part of the call. */
  readonly behavior: Behavior;
  /** The folder that path patterns are relative to. */
  readonly cwd: string;
  /**
   * The folder that `~/` stands for. If absent, a rule with `~/` in its pattern matches no path if the rule allows, and every path if the rule denies
   * or asks.
   */
  readonly home?: string | undefined;
}

const MAX_SUBJECT_LENGTH = 64 * 1024;

/** The limit is 65 536 characters in total. */
export function isTooLong({ values }: RuleSubject): boolean {
  return values.reduce((sum, { length }) => sum + length, 0) > MAX_SUBJECT_LENGTH;
}

/**
 * Whether a rule matches a call. In doubt, the call is restricted. A rule that denies or asks is interpreted broadly: it applies to each part of a
 * command, to each path, to the content of a matching folder and to unknown calls, and it ignores case. A rule that allows is interpreted narrowly. A
 * rule that denies or asks also matches if it is not certain whether the rule applies. Use `compareRule` to distinguish these two cases.
 */
export function matchesRule(rule: PermissionRule, subject: RuleSubject, matching: RuleMatching): boolean {
  return compareRule(rule, subject, matching) !== 'differs';
}

/**
 * Compares a rule with a call. `undecided` means that a rule that denies or asks may match, but the call contains too little information. Examples
 * are a command that is composed only when it runs, and a search above a denied folder. The result for a rule that allows is never `undecided`.
 */
export function compareRule(rule: PermissionRule, subject: RuleSubject, matching: RuleMatching): Comparison {
  const isWide = matching.behavior !== 'allow';
  if (!namesTool(rule.toolName, subject.tool, isWide)) return 'differs';
  const isLong = isTooLong(subject);
  if (isWhole(rule)) return isLong && subject.kind === 'command' && !isWide ? 'differs' : 'matches';
  if (subject.values.length === 0) return isWide ? 'matches' : 'differs';
  if (isLong) return isWide ? 'undecided' : 'differs';
  const pattern = rule.ruleContent as string;
  if (!isWide)
    return subject.values.every((value) => permits(pattern, value, subject, matching)) ? 'matches' : 'differs';
  const compared = subject.values.map((value) => compareWidely(pattern, value, subject, matching));
  if (compared.includes('matches')) return 'matches';
  return compared.includes('undecided') ? 'undecided' : 'differs';
}

/**
 * Usually one rule must allow the whole call. In a line of several plain commands, each command may be allowed by a different rule. Returns
 * `undefined` if the call is not allowed.
 */
export function rulesThatAllow(
  rules: readonly PermissionRule[],
  subject: RuleSubject,
  matching: Omit<RuleMatching, 'behavior'>,
): readonly PermissionRule[] | undefined {
  const allowing = { ...matching, behavior: 'allow' } as const;
  const alone = rules.find((rule) => compareRule(rule, subject, allowing) === 'matches');
  if (alone !== undefined) return [alone];
  const [line] = subject.values;
  if (subject.tool !== 'Bash' || line === undefined || isTooLong(subject)) return undefined;
  const found = (readPlainLine(line.trim()) ?? []).map(({ text }) =>
    rules.find((rule) => compareRule(rule, { ...subject, values: [text] }, allowing) === 'matches'),
  );
  return found.length > 0 && found.every((rule) => rule !== undefined) ? [...new Set(found)] : undefined;
}

/** Whether a rule covers all calls of a tool. */
export function coversTool(rule: PermissionRule, tool: string): boolean {
  return isWhole(rule) && namesTool(rule.toolName, tool, true);
}

function isWhole({ ruleContent }: PermissionRule): boolean {
  return ['', '*'].includes(ruleContent ?? '');
}

function permits(pattern: string, value: string, { kind, tool }: RuleSubject, matching: RuleMatching): boolean {
  switch (kind) {
    case 'command':
      return tool === 'PowerShell' ? permitsPowerShell(pattern, value) : permitsLine([pattern], value);
    case 'path':
      return permitsPath(pattern, value, matching);
    case 'search':
      return permitsSearch(pattern, value, matching);
    case 'url':
      return compareAddress(pattern, value, false) === 'matches';
    case 'name':
      return textGlob(pattern)(value);
    default:
      return permitsUnknown(pattern, value);
  }
}

function compareWidely(
  pattern: string,
  value: string,
  { kind, tool }: RuleSubject,
  matching: RuleMatching,
): Comparison {
  switch (kind) {
    case 'command':
      return tool === 'PowerShell' ? comparePowerShellWidely(pattern, value) : compareCommandWidely(pattern, value);
    case 'path':
      return comparePathWidely(pattern, value, matching);
    case 'search':
      return compareSearchWidely(pattern, value, matching);
    case 'url':
      return compareAddress(pattern, value, true);
    case 'name':
      return textGlob(foldCase(pattern))(foldCase(value)) ? 'matches' : 'differs';
    default:
      return compareUnknownWidely(pattern, value, matching);
  }
}

/**
 * Returns the pattern to suggest for a command. The pattern matches all commands with the same first two words, or only this command if the command
 * is not plain.
 */
export function patternFor(command: string): string {
  const [first, ...others] = readPlainLine(command.trim()) ?? [];
  if (first === undefined || others.length > 0) return command;
  const pattern = `${command
    .trim()
    .split(/[ \t]+/)
    .slice(0, 2)
    .join(' ')} *`;
  return permitsLine([pattern], command) ? pattern : command;
}
