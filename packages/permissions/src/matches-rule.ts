import { pathGlob, textGlob } from './glob.ts';
import { anchorPattern, pathWithin } from './paths.ts';
import type { Behavior, PermissionRule } from './rule.ts';

/** The part of a call that a rule is compared with. */
export interface RuleSubject {
  readonly tool: string;
  /** What the values are; `unknown` for calls such as those of most MCP tools. */
  readonly kind: 'command' | 'path' | 'url' | 'name' | 'unknown';
  /** The command, the whole paths of the files, the address, or the name that the call is about. */
  readonly values: readonly string[];
}

/** How a rule is compared with a call. */
export interface RuleMatching {
  /** What the rule does. A rule that allows must match all of a call, a rule that denies or asks any part of it. */
  readonly behavior: Behavior;
  /** The folder in which patterns of paths begin. */
  readonly cwd: string;
  /**
   * What `~/` stands for. Without it a rule with `~/` allows nothing, and denies or asks for every path.
   */
  readonly home?: string | undefined;
}

/** Further tools that a rule for a tool covers. */
const ALSO: Readonly<Record<string, readonly string[]>> = { Edit: ['Write', 'MultiEdit', 'NotebookEdit'] };
/** Further tools that a rule covers which denies or asks: these tools show the content of files, too. */
const ALSO_AGAINST: Readonly<Record<string, readonly string[]>> = { Read: ['Grep', 'Glob', 'LS', 'NotebookRead'] };

/**
 * Whether a rule matches a call. In doubt the call loses: a rule that denies or asks is read widely (any part of a
 * command, any of the paths, a folder with its content, upper and lower case alike, and calls of which nothing is known),
 * a rule that allows is read narrowly.
 */
export function matchesRule(rule: PermissionRule, subject: RuleSubject, matching: RuleMatching): boolean {
  const isWide = matching.behavior !== 'allow';
  if (!namesTool(rule.toolName, subject.tool, isWide)) return false;
  if (isWhole(rule)) return true;
  if (subject.values.length === 0) return isWide;
  const pattern = rule.ruleContent as string;
  const holds = (value: string) => matchesValue(pattern, value, subject.kind, matching);
  return isWide ? subject.values.some(holds) : subject.values.every(holds);
}

/** Whether a rule covers all calls of a tool. */
export function coversTool(rule: PermissionRule, tool: string): boolean {
  return isWhole(rule) && namesTool(rule.toolName, tool, true);
}

function isWhole({ ruleContent }: PermissionRule): boolean {
  return ['', '*'].includes(ruleContent ?? '');
}

/** Whether a pattern names a tool. The name of an MCP server without a tool stands for all of its tools. */
function namesTool(pattern: string, tool: string, isWide: boolean): boolean {
  const [named, given] = isWide ? [pattern.toLowerCase(), tool.toLowerCase()] : [pattern, tool];
  if (textGlob(named)(given) || ALSO[pattern]?.includes(tool) === true) return true;
  if (isWide && ALSO_AGAINST[pattern]?.includes(tool) === true) return true;
  return /^mcp__.+/.test(named) && given.startsWith(`${named}__`);
}

function matchesValue(pattern: string, value: string, kind: RuleSubject['kind'], matching: RuleMatching): boolean {
  const isWide = matching.behavior !== 'allow';
  switch (kind) {
    case 'command':
      return isWide ? hasCommand(pattern, value) : permitsCommand(pattern, value.trim());
    case 'path':
      return isWide ? namesPathWidely(pattern, value, matching) : namesPath(pattern, value, matching);
    case 'url':
      return matchesAddress(pattern, value, isWide);
    default:
      return isWide ? textGlob(folded(pattern))(folded(value)) : textGlob(pattern)(value);
  }
}

/** Whether a rule that allows matches a command: the same text, or one simple command that begins like the pattern. */
function permitsCommand(pattern: string, command: string): boolean {
  return pattern === command || (!isCompound(command) && beginsLike(pattern, command));
}

/** Whether any part of a command line matches the pattern. */
function hasCommand(pattern: string, command: string): boolean {
  const given = folded(pattern.replace(/\s+/g, ' '));
  return partsOf(command).some((part) => beginsLike(given, folded(part)));
}

/** `git log` matches this command alone; `git log *` and `git log:*` match it with any arguments. Elsewhere `*` stands for any text. */
function beginsLike(pattern: string, command: string): boolean {
  const prefix = /^(.*?)(?::| )\*$/s.exec(pattern)?.[1];
  if (prefix === undefined) return pattern === command || textGlob(pattern)(command);
  return textGlob(prefix)(command) || textGlob(`${prefix} *`)(command);
}

/** Whether a pattern matches a path exactly, from the folder in which the pattern begins. A slash at its end stands for the content of a folder. */
function namesPath(pattern: string, path: string, { cwd, home }: RuleMatching): boolean {
  const { folder, rest } = anchorPattern(pattern, cwd, home) ?? {};
  const within = folder === undefined ? undefined : pathWithin(path, folder);
  if (within === undefined || rest === undefined) return false;
  return rest === '' || pathGlob(rest)(within);
}

/** Whether a pattern matches a path as in a `.gitignore`: at any depth without a slash, and a folder with its content. Ignores upper and lower case. */
function namesPathWidely(pattern: string, path: string, { cwd, home }: RuleMatching): boolean {
  const isAnywhere = pattern !== '~' && !/[/\\]./.test(pattern);
  const { folder, rest } = anchorPattern(isAnywhere ? `./**/${pattern}` : pattern, cwd, home) ?? {};
  // The meaning of `..` after a wildcard cannot be known, so such a rule matches.
  if (folder === undefined || rest === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(rest)) return true;
  const within = pathWithin(folded(path), folded(folder));
  if (within === undefined) return false;
  const named = folded(rest.replace(/\/$/, ''));
  // The path with a slash at its end stands for a search in a folder, whose content is part of the call.
  return named === '' || [named, `${named}/**`].some((each) => pathGlob(each)(within) || pathGlob(each)(`${within}/`));
}

/** Folds a text as file systems do that ignore upper and lower case. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Whether `domain:example.com` or `domain:*.example.com` matches an address. Read widely, the first one also matches subdomains. */
function matchesAddress(pattern: string, address: string, isWide: boolean): boolean {
  const domain = /^domain:(.+)$/s.exec(pattern)?.[1]?.toLowerCase();
  if (domain === undefined || !URL.canParse(address)) return isWide;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return textGlob(domain)(host) || (isWide && textGlob(`*.${domain}`)(host));
}

// These characters join, nest or redirect commands. A rule for one command says nothing about the text after them.
const SHELL_OPERATORS = /[;&|<>`$(){}\n]/;

/** Whether a command may hold others, or write to files. */
function isCompound(command: string): boolean {
  return SHELL_OPERATORS.test(command);
}

/**
 * Returns the command, and each part of it that a shell may run, with single blanks. Each part comes twice: as it is, and without the variables
 * that are set before it. This is no shell: commands that are quoted, or run by another program (`sh -c`, `xargs`), are not found.
 */
function partsOf(command: string): readonly string[] {
  const parts = [command, ...command.split(SHELL_OPERATORS)].map((part) => part.replace(/\s+/g, ' ').trim());
  return parts.flatMap((part) => [part, part.replace(/^(?:\w+=\S* )+/, '')]);
}

/** Returns the pattern to suggest for a command: all commands with the same first two words, or a compound command alone. */
export function patternFor(command: string): string {
  if (isCompound(command)) return command;
  return `${command.trim().split(/\s+/).slice(0, 2).join(' ')} *`;
}
