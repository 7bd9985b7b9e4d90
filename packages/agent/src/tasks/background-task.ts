import type { PromptContent } from '../prompts/prompt.ts';

/** Work that goes on beyond its turn. */
export interface BackgroundTask {
  readonly description: string;
  /** `local_bash`, `local_agent` ... While one of the latter runs the session is not told to be idle. */
  readonly task_type: string;
  /** The call that began it. */
  readonly tool_use_id?: string;
  /** Further members of `task_started`: `prompt`, `subagent_type` ... */
  readonly [member: string]: unknown;
  /** What it has written so far, for hosts that look. */
  output?(): string;
  /** Does it. The signal aborts when the host stops the task, or the session ends; what it throws is a task that failed. */
  run(signal: AbortSignal, taskId: string): Promise<BackgroundEnd>;
}

/** How a background task ended. */
export interface BackgroundEnd {
  readonly summary: string;
  /** Default `completed`. */
  readonly status?: 'completed' | 'failed';
  /** What the turn it causes begins with. Default: its summary. */
  readonly prompt?: PromptContent;
  /** Further members of `task_notification`: `output_file`, `usage` ... */
  readonly [member: string]: unknown;
}
