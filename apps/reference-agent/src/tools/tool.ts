import type { WireMessage } from '@proto/core/framing';
import type { ToolInput } from '../actions.ts';

/** The result of a tool call. A tool that fails throws; the message of the error is the text of the failed call. */
export interface ToolResult {
  /** The result for the model: a text, or content blocks of the Messages API. */
  readonly content: string | readonly object[];
  /** The result for hosts: the `tool_use_result` of the message. Default: the content. */
  readonly output?: unknown;
}

/** The id and the signal of a tool call. */
export interface ToolContext {
  readonly toolUseID: string;
  /** Aborts with the turn, which does not wait for the call then. */
  readonly signal: AbortSignal;
}

/** The facts about a tool that decide on the permission for its calls. */
export interface ToolProfile {
  readonly name: string;
  /**
   * What a call does. `nothing` never needs a permission. `reads` and `writes` need one that depends on the file. `executes` and `serves`
   * (a tool of a server of the host) always need one. `asks` is itself a question to the user.
   */
  readonly effect: 'nothing' | 'reads' | 'writes' | 'executes' | 'serves' | 'asks';
  /** The absolute path of the file of a call, with links followed. */
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
