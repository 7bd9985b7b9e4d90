import type { WireMessage } from '@proto/core/framing';

/** The input of a tool call. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** One thing that the agent does. Every command of a prompt is converted to a list of actions. */
export type Action =
  /** Writes a text, streamed in pieces. */
  | { readonly kind: 'say'; readonly pieces: AsyncIterable<string> | Iterable<string> }
  /** Sends a thinking block with this text. */
  | { readonly kind: 'think'; readonly text: string }
  /** Calls a tool. After all calls of this reply, another reply states their results. */
  | { readonly kind: 'call'; readonly tool: string; readonly input: ToolInput }
  /** Returns this value as the structured output of the turn, if the host has requested structured output. */
  | { readonly kind: 'structure'; readonly value: unknown }
  /** Sends the messages, then ends the turn with these members in its result. */
  | { readonly kind: 'end'; readonly result: EndingResult; readonly messages?: readonly WireMessage[] };

/**
 * One command of a prompt: converts its argument to actions. Anything that the command streams ends when the signal aborts.
 * @throws {Error} for an argument that the command does not accept.
 */
export type Command = (argument: string, signal: AbortSignal) => readonly Action[];

/** The members of the result of a turn that ends before all its commands are done. */
export interface EndingResult {
  readonly errors?: readonly string[];
  readonly result?: string;
  readonly [member: string]: unknown;
}

/** Thrown to end a turn before all its commands are done. */
export class TurnEnd extends Error {
  readonly result: EndingResult;

  constructor(result: EndingResult) {
    // For a subagent, this message becomes the result of its call.
    super(result.errors?.join('\n') ?? result.result);
    this.result = result;
  }
}

/** The JSON object in the argument of a command. @throws {Error} for any other argument. */
export function jsonOf(command: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error is thrown below: the parser's error would quote the text.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${command} needs a JSON object`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The number of seconds in the argument of a command. @throws {Error} for any other argument. */
export function secondsOf(command: string, argument: string): number {
  const seconds = Number(argument);
  if (argument === '' || !(seconds >= 0 && Number.isFinite(seconds))) {
    throw new Error(`${command} needs a number of seconds, not '${argument}'`);
  }
  return seconds;
}
