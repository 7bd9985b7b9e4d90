import type { Tool } from './tools/tool.ts';

/** The options of a reference agent. The names and meanings are the same as for the flags of an agent executable. */
export interface ReferenceAgentOptions {
  /** The tools of `/read`, `/write` and `/bash`. Default: files in memory, and a shell that supports only `echo`, `sleep` and `exit`. */
  readonly tools?: readonly Tool[];
  /** The working directory, whose files may be read without asking. Default `/`. */
  readonly cwd?: string;
  /** The folder that `~/` represents in rules. Without this option, a rule with `~/` allows no path, and a deny or ask rule matches every path. */
  readonly home?: string;
  /** More directories whose files may be read without asking, as with `--add-dir`. Default: none. */
  readonly addDir?: readonly string[];
  /**
   * The mode at the start of the session, such as `acceptEdits`. `manual` has the same meaning as `default`. Default: `default`, or
   * `bypassPermissions` with `dangerouslySkipPermissions`.
   */
  readonly permissionMode?: string;
  /** Rules for calls that are allowed, such as `Bash(git *)`. Default: none. */
  readonly allowedTools?: readonly string[];
  /** Rules for calls that are denied, such as `Read(~/.ssh/**)`. A rule without parentheses removes its tool. Default: none. */
  readonly disallowedTools?: readonly string[];
  /** Whether the session may change to the mode `bypassPermissions` later. Default false. */
  readonly allowDangerouslySkipPermissions?: boolean;
  /** Whether the session begins in the mode `bypassPermissions`, unless `permissionMode` is given. Default false. */
  readonly dangerouslySkipPermissions?: boolean;
  /** The tool that asks the user, such as `stdio`. Default: none, so the agent has no tool `AskUserQuestion`. */
  readonly permissionPromptTool?: string;
  /** The maximum number of replies in a turn. Default: no limit. */
  readonly maxTurns?: number;
  /** The maximum cost of the session, in US dollars. The prices are invented, and always the same. Default: no limit. */
  readonly maxBudgetUsd?: number;
  /** The schema of the structured output of each turn. The host's `initialize` may replace it. Default: no structured output. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Settings, of which only `permissions` is used. Settings that require a sandbox are refused, because this agent has no sandbox. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether to announce each reply with a `status` message, as real agents do while they stream. Default false. */
  readonly includePartialMessages?: boolean;
}
