import { pathGlob, textGlob } from './glob.ts';
import { anchorPattern, pathWithin } from './paths.ts';
import type { Behavior, PermissionRule } from './rule.ts';
import { isCompound, partsOf } from './shell-command.ts';

/** What a rule is held against. */
export interface RuleSubject {
  readonly tool: string;
  /** What the values are. Nothing is known of the calls of most tools of MCP servers, for example. */
  readonly kind: 'command' | 'path' | 'url' | 'name' | 'unknown';
  /** The command, the whole paths of the files, the address, or the name that the call is about. */
  readonly values: readonly string[];
}

/** How a rule is held against a call. */
export interface RuleMatching {
  /** What the rule is for. One that allows must hold for all of a call, one that denies or asks for any part of it. */
  readonly behavior: Behavior;
  /** Where the patterns of paths begin. */
  readonly cwd: string;
  /**
   * What `~/` stands for. Without it a rule with `~/` allows nothing, and denies or asks for every path.
   */
  readonly home?: string | undefined;
}

/** Tools that a rule for another one is also about. */
const ALSO: Readonly<Record<string, readonly string[]>> = { Edit: ['Write', 'MultiEdit', 'NotebookEdit'] };
/** The same, but for rules that deny or ask: these tools show what is in files as well. */
const ALSO_AGAINST: Readonly<Record<string, readonly string[]>> = { Read: ['Grep', 'Glob', 'LS', 'NotebookRead'] };

/**
 * Whether a rule holds for a call. Doubt is decided against the call: a rule that denies or asks is read widely (any part of a
 * command, any of the paths, a folder with all that is in it, in any case of letters, and also where nothing is known of the call),
 * a rule that allows narrowly.
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

/** Whether a rule names the tool as a whole, with all of its calls. */
export function coversTool(rule: PermissionRule, tool: string): boolean {
  return isWhole(rule) && namesTool(rule.toolName, tool, true);
}

function isWhole({ ruleContent }: PermissionRule): boolean {
  return ['', '*'].includes(ruleContent ?? '');
}

/** By its name or a pattern of names. An MCP server without a tool stands for all of its tools. */
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

/** The command of the pattern, or one simple command that begins like it. */
function permitsCommand(pattern: string, command: string): boolean {
  return pattern === command || (!isCompound(command) && beginsLike(pattern, command));
}

/** Whether any part of a command line is what the pattern says. */
function hasCommand(pattern: string, command: string): boolean {
  const given = folded(pattern.replace(/\s+/g, ' '));
  return partsOf(command).some((part) => beginsLike(given, folded(part)));
}

/** `git log` is that command alone; `git log *` and `git log:*` also with what follows; elsewhere `*` stands for anything. */
function beginsLike(pattern: string, command: string): boolean {
  const prefix = /^(.*?)(?::| )\*$/s.exec(pattern)?.[1];
  if (prefix === undefined) return pattern === command || textGlob(pattern)(command);
  return textGlob(prefix)(command) || textGlob(`${prefix} *`)(command);
}

/** Exactly what the pattern says, from the folder in which it begins. A slash in the end stands for all that is in a folder. */
function namesPath(pattern: string, path: string, { cwd, home }: RuleMatching): boolean {
  const { folder, rest } = anchorPattern(pattern, cwd, home) ?? {};
  const within = folder === undefined ? undefined : pathWithin(path, folder);
  if (within === undefined || rest === undefined) return false;
  return rest === '' || pathGlob(rest)(within);
}

/** As in a `.gitignore`: without a slash at any depth, and a folder with all that is in it. The case of letters does not count. */
function namesPathWidely(pattern: string, path: string, { cwd, home }: RuleMatching): boolean {
  const isAnywhere = pattern !== '~' && !/[/\\]./.test(pattern);
  const { folder, rest } = anchorPattern(isAnywhere ? `./**/${pattern}` : pattern, cwd, home) ?? {};
  // Where a part steps back behind a wildcard, nobody can say what it means.
  if (folder === undefined || rest === undefined || /(?:^|\/)\.\.(?:\/|$)/.test(rest)) return true;
  const within = pathWithin(folded(path), folded(folder));
  if (within === undefined) return false;
  const named = folded(rest.replace(/\/$/, ''));
  // With a slash in the end, for a search in a folder: what is in there is a part of the call.
  return named === '' || [named, `${named}/**`].some((each) => pathGlob(each)(within) || pathGlob(each)(`${within}/`));
}

/** Letters as file systems compare them that do not tell cases apart. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** `domain:example.com`, against a call also for what is below it, or `domain:*.example.com`. Nothing else is understood. */
function matchesAddress(pattern: string, address: string, isWide: boolean): boolean {
  const domain = /^domain:(.+)$/s.exec(pattern)?.[1]?.toLowerCase();
  if (domain === undefined || !URL.canParse(address)) return isWide;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return textGlob(domain)(host) || (isWide && textGlob(`*.${domain}`)(host));
}
