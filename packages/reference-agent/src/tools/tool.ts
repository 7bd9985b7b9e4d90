import type { WireMessage } from '@proto/core/framing';
import type { ToolInput } from '../actions.ts';

/** What a tool call came to. What it throws instead is the text of a failed one. */
export interface ToolResult {
  /** What the model reads: a text, or content blocks of the Messages API. */
  readonly content: string | readonly object[];
  /** What hosts show: the `tool_use_result` of the message. Default: the content. */
  readonly output?: unknown;
}

/** What a tool call runs in. */
export interface ToolContext {
  readonly toolUseID: string;
  /** Aborts with the turn: the call is not waited for then. */
  readonly signal: AbortSignal;
}

/** What is to be known of a tool to decide on its calls. */
export interface ToolProfile {
  readonly name: string;
  /**
   * What its calls do, which decides on the permission: `nothing` never needs one, `reads` and `writes` do by the file they are
   * about, `executes` and `serves` (a tool of somebody else) always do, `asks` is a question to the user in itself.
   */
  readonly effect: 'nothing' | 'reads' | 'writes' | 'executes' | 'serves' | 'asks';
  /** The file a call is about: its whole path, links followed. */
  readonly pathOf?: (input: ToolInput) => string | Promise<string>;
}

/** A tool of the agent. */
export interface Tool extends ToolProfile {
  /** Its calls may run beside others. Default: those of tools that only read, or do nothing. */
  readonly isConcurrent?: boolean;
  /** Makes the call. One that has messages of its own yields them. */
  readonly run: (
    input: ToolInput,
    toolContext: ToolContext,
  ) => ToolResult | Promise<ToolResult> | AsyncGenerator<WireMessage, ToolResult, undefined>;
}

/** A member of an input that has to be a text. */
export function stringMember(input: ToolInput, member: string): string {
  const value = input[member];
  if (typeof value !== 'string') throw new Error(`${member} must be a string`);
  return value;
}
