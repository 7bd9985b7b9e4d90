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
