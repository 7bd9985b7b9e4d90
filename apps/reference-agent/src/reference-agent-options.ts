import type { Tool } from './tools/tool.ts';

/** The options of a reference agent. Names and meanings are those of the flags of an agent executable. */
export interface ReferenceAgentOptions {
  /** The tools of `/read`, `/write` and `/bash`. Default: files in memory, and a shell that knows `echo`, `sleep` and `exit`. */
  readonly tools?: readonly Tool[];
  /** The working directory, whose files may be read without a question. Default `/`. */
  readonly cwd?: string;
  /** The folder that `~/` stands for in rules. Without it a rule with `~/` allows no path, and a deny or ask rule matches every path. */
  readonly home?: string;
  readonly addDir?: readonly string[];
  readonly permissionMode?: string;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly dangerouslySkipPermissions?: boolean;
  readonly permissionPromptTool?: string;
  /** The most replies in a turn. Default: no limit. */
  readonly maxTurns?: number;
  /** The most that the session may cost, in US dollars. The prices are made up, and always the same. Default: no limit. */
  readonly maxBudgetUsd?: number;
  /** The schema of the structured output of each turn. `initialize` of the host may replace it. Default: no structured output. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Settings, of which `permissions` is used. Settings that ask for a sandbox are refused, because there is none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether to announce each reply with a `status` message, as real agents do while they stream. Default false. */
  readonly includePartialMessages?: boolean;
}
