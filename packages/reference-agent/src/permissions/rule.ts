/** A rule for tool calls, as `PermissionRuleValue` of the wire: a tool, and a pattern of what its calls are about. */
export interface Rule {
  readonly toolName: string;
  readonly ruleContent?: string | undefined;
}

/** What a rule is held against. */
export interface RuleSubject {
  readonly tool: string;
  /** The command it runs, or the path of its file. */
  readonly about?: string | undefined;
}

// What joins, nests or redirects commands: a rule for one command is none for what stands behind these.
const SHELL_OPERATORS = /[;&|<>`$(){}\n]/;

/** Reads a rule as the command line has it: `Bash`, `Bash(git log *)`, `mcp__server__tool`. */
export function parseRule(text: string): Rule {
  const [, toolName, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  return toolName === undefined ? { toolName: text.trim() } : { toolName: toolName.trim(), ruleContent };
}

/** The pattern to offer for a command: what begins like it, or that command alone where it is more than one. */
export function patternFor(command: string): string {
  if (SHELL_OPERATORS.test(command)) return command;
  return `${command.trim().split(/\s+/).slice(0, 2).join(' ')} *`;
}

/** Whether two rules are the same. */
export function isSameRule(a: Rule, b: Rule): boolean {
  return a.toolName === b.toolName && (a.ruleContent ?? '') === (b.ruleContent ?? '');
}

/** Whether a rule names the tool as a whole. */
export function coversTool({ toolName, ruleContent }: Rule, tool: string): boolean {
  return (ruleContent ?? '') === '' && namesTool(toolName, tool);
}

/** How a rule is held against a call. */
export interface RuleMatching {
  /** Where the patterns of files begin. */
  readonly cwd: string;
  /** Whether the rule has to hold for the whole command, as for a permission, or for any part of it, as to forbid it. */
  readonly asWhole: boolean;
}

/** Whether a rule holds for a call. */
export function matchesRule(rule: Rule, { tool, about }: RuleSubject, { cwd, asWhole }: RuleMatching): boolean {
  const { toolName, ruleContent = '' } = rule;
  // What edits files in published agents is one rule for all tools that do.
  if (!namesTool(toolName, tool) && !(toolName === 'Edit' && tool === 'Write')) return false;
  if (ruleContent === '' || ruleContent === '*') return true;
  if (about === undefined) return false;
  if (tool !== 'Bash') return matchesPath(ruleContent, about, cwd);
  const commands = asWhole ? [about] : [about, ...about.split(SHELL_OPERATORS)];
  return commands.some((command) => matchesCommand(ruleContent, command.trim()));
}

/** By its name; a server of MCP by its own, or with an asterisk. */
function namesTool(toolName: string, tool: string): boolean {
  if (toolName === tool) return true;
  if (!toolName.startsWith('mcp__')) return false;
  return tool.startsWith(`${toolName.replace(/(__)?\*$/, '')}__`);
}

/** `git log` is that command alone; `git log *` and `git log:*` also with what follows. */
function matchesCommand(pattern: string, command: string): boolean {
  if (pattern === command) return true;
  const prefix = /^(.*?)(?::| )\*$/s.exec(pattern)?.[1];
  if (prefix === undefined || SHELL_OPERATORS.test(command)) return false;
  return command === prefix || command.startsWith(`${prefix} `);
}

/** As in a `.gitignore`, from the working directory; `//` begins at the root of the file system. */
function matchesPath(pattern: string, path: string, cwd: string): boolean {
  const from = pattern.startsWith('//') ? pattern.slice(1) : `${cwd}/${pattern.replace(/^\.?\//, '')}`;
  return wildcard(from).test(path);
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .split(/(\*+)/)
    .map((part) => {
      if (/^\*+$/.test(part)) return part.length > 1 ? '.*' : '[^/]*';
      return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`, 's');
}
