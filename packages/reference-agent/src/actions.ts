import type { WireMessage } from '@proto/core/framing';

/** The input of a tool call. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** What the agent decides to do: its commands come to nothing else. */
export type Action =
  /** Says a text, whose pieces are streamed as they come. */
  | { readonly kind: 'say'; readonly pieces: AsyncIterable<string> | Iterable<string> }
  /** Thinks, where hosts may see it. */
  | { readonly kind: 'think'; readonly text: string }
  /** Calls a tool, and tells what came of it once all calls of the reply are done. */
  | { readonly kind: 'call'; readonly tool: string; readonly input: ToolInput }
  /** Gives this value where the host wants one of a certain form. */
  | { readonly kind: 'structure'; readonly value: unknown }
  /** Ends the turn, with these members in its result; says the messages before. */
  | { readonly kind: 'end'; readonly result: EndingResult; readonly messages?: readonly WireMessage[] };

/**
 * One command of a prompt: its argument in, what to do out. Throws where the argument is none of its kind; what it streams ends with
 * the signal.
 */
export type Command = (argument: string, signal: AbortSignal) => readonly Action[];

/** How a turn ends before its commands are done: members of its result. */
export interface EndingResult {
  readonly errors?: readonly string[];
  readonly result?: string;
  readonly [member: string]: unknown;
}

/** Thrown to end a turn before its commands are done. */
export class TurnEnd extends Error {
  readonly result: EndingResult;

  constructor(result: EndingResult) {
    // What a subagent's call comes to whose turn ended like that.
    super(result.errors?.join('\n') ?? result.result);
    this.result = result;
  }
}
