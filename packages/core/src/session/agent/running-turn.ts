import type { WireMessage } from '../../framing/parse-line.ts';
import type { PermissionDecision } from './permission-decision.ts';
import type { CanUseTool } from './permission-rules.ts';
import { TurnResult } from './turn-result.ts';

/** The turn that runs: how it is interrupted, what it asks, and how it ends. */
export class RunningTurn {
  readonly result: TurnResult;
  readonly #controller = new AbortController();
  // Apart from the turn's own signal: an interrupt takes back what is asked before it cuts what is said.
  readonly #questions = new AbortController();
  #duringTool = false;

  constructor(promptUuid: string | undefined) {
    this.result = new TurnResult(promptUuid);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Takes back the questions that are open. What they were about was cut in its tools, not in its text. */
  withdraw(): void {
    this.#questions.abort();
  }

  abort(reason?: unknown): void {
    this.#questions.abort(reason);
    this.#controller.abort(reason);
  }

  /** Whether a tool call may be made; a denial is noted for the result, and one that interrupts ends the turn. */
  async decide(
    canUseTool: CanUseTool,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    toolUseID: string,
  ): Promise<PermissionDecision> {
    const decision = await canUseTool(tool, input, { toolUseID, signal: this.#questions.signal });
    if (decision.behavior === 'deny') {
      this.result.deny(tool, toolUseID, input);
      this.#duringTool ||= decision.interrupt || this.#questions.signal.aborted;
      if (decision.interrupt) this.abort();
    }
    return decision;
  }

  /** What the conversation says where it was cut. */
  marker(): WireMessage {
    const text = `[Request interrupted by user${this.#duringTool ? ' for tool use' : ''}]`;
    return { type: 'user', message: { role: 'user', content: [{ type: 'text', text }] }, parent_tool_use_id: null };
  }

  interrupted(): WireMessage {
    return this.result.interrupted(this.#duringTool ? 'aborted_tools' : 'aborted_streaming');
  }
}
