import type { WireMessage } from '@proto/core/framing';
import type { ToolInput } from '../actions.ts';

/** The result of a tool call. A tool that fails throws an error, whose message is the text of the failed call. */
export interface ToolResult {
  /** The result for the model: a string, or content blocks of the Messages API. */
  readonly content: string | readonly object[];
  /** The result for hosts: the `tool_use_result` of the message. Default: the content. */
  readonly output?: unknown;
}

/** The id and the signal of a tool call. */
export interface ToolContext {
  /** The id of the `tool_use` block of the call, chosen by the agent, such as `toolu_…`. */
  readonly toolUseID: string;
  /** Aborts when the turn is interrupted. The turn then no longer waits for the call. */
  readonly signal: AbortSignal;
}

/** The facts about a tool that determine whether its calls need permission. */
export interface ToolProfile {
  readonly name: string;
  /**
   * What a call does. `nothing` never needs a permission. `reads` and `writes` need a permission that depends on the file. `executes` and `serves` (a
   * tool of one of the host's servers) always need a permission. A call with the effect `asks` is itself a question to the user.
   */
  readonly effect: 'nothing' | 'reads' | 'writes' | 'executes' | 'serves' | 'asks';
  /** Returns the absolute path of the file that a call uses, with symbolic links resolved. */
  readonly pathOf?: (input: ToolInput) => string | Promise<string>;
}

/** A tool of the agent. */
export interface Tool extends ToolProfile {
  /** Whether calls may run while other calls run. Default: true for the effects `reads` and `nothing`, otherwise false. */
  readonly isConcurrent?: boolean;
  /** Makes the call. A generator may yield messages for the host before it returns the result. */
  readonly run: (
    input: ToolInput,
    toolContext: ToolContext,
  ) => ToolResult | Promise<ToolResult> | AsyncGenerator<WireMessage, ToolResult, undefined>;
}

/** Returns a member of an input. The member must be a string. */
export function stringMember(input: ToolInput, member: string): string {
  const value = input[member];
  if (typeof value !== 'string') throw new Error(`${member} must be a string`);
  return value;
}
