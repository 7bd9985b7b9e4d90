import type { Tool } from './tools/tool.ts';

/** What a reference agent is made of; names and meanings of the flags of an agent executable. */
export interface ReferenceAgentOptions {
  /** What `/read`, `/write` and `/bash` use. Default: files in memory, and a shell that knows `echo`, `sleep` and `exit`. */
  readonly tools?: readonly Tool[];
  /** The working directory: what is in it may be read. Default `/`. */
  readonly cwd?: string;
  /** What `~/` stands for in rules. Without it such a rule allows nothing, and denies or asks for every path. */
  readonly home?: string;
  readonly addDir?: readonly string[];
  readonly permissionMode?: string;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly dangerouslySkipPermissions?: boolean;
  readonly permissionPromptTool?: string;
  /** How many replies a turn may have. Default: any number. */
  readonly maxTurns?: number;
  /** What the session may cost. The prices are made up, and always the same. Default: any amount. */
  readonly maxBudgetUsd?: number;
  /** Each turn gives a value of this form. The host's `initialize` may name another. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Rules are taken from `permissions`. Settings that ask for a sandbox are refused: there is none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Tell when a reply begins, as real agents do where they stream. */
  readonly includePartialMessages?: boolean;
}
