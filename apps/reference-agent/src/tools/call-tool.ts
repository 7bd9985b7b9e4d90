import type { WireMessage } from '@proto/core/framing';
import type { ToolInput } from '../actions.ts';
import type { TurnContext } from '../turns/turn-context.ts';
import { callDone, callFailed, callInterrupted, type CallOutcome, callRefused } from './call-outcome.ts';
import { afterTool, withNotes } from './tool-hooks.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

export interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: ToolInput;
}

/** The turn and the reply to which a tool call belongs. */
export interface CallContext {
  readonly context: TurnContext;
  /** The queue in which calls that change something wait for each other. */
  readonly queue: SerialQueue;
  /** Fulfils when the whole reply was sent. The results of the reply's calls are sent afterwards. */
  readonly replyComplete: Promise<void>;
  /** Called with the text of the outcome. */
  readonly onOutcome: (text: string) => void;
}

/** Makes a tool call in the way that real agents do: asks for the permission, runs the hooks and the tool, and yields the result. */
export async function* callTool(
  call: PlannedCall,
  { context, queue, replyComplete, onOutcome }: CallContext,
): AsyncGenerator<WireMessage, void, undefined> {
  const tool = context.session.tool(call.tool, context);
  const leave = tool === undefined || mayRunInParallel(tool) ? () => {} : await queue.enter();
  try {
    const outcome = yield* outcomeOf(call, tool, context);
    await replyComplete;
    onOutcome(outcome.text);
    context.addInput(outcome.text);
    yield context.userMessage(
      [{ type: 'tool_result', tool_use_id: call.id, content: outcome.content, is_error: outcome.isError }],
      { tool_use_result: outcome.output, tool_result_meta: [{ id: call.id, ...outcome.meta }] },
    );
  } finally {
    leave();
  }
}

function mayRunInParallel({ effect, isConcurrent = effect === 'reads' || effect === 'nothing' }: Tool): boolean {
  return isConcurrent;
}

async function* outcomeOf(
  { id, tool: name, input }: PlannedCall,
  tool: Tool | undefined,
  context: TurnContext,
): AsyncGenerator<WireMessage, CallOutcome, undefined> {
  const { turn, subagent } = context;
  context.toolUses++;
  if (turn.signal.aborted) return callInterrupted();
  if (tool === undefined) return callFailed(`The tool ${name} is not available.`);
  const decision = await turn.canUseTool(name, input, id, subagent === undefined ? {} : { agentID: subagent.agentID });
  if (decision.behavior === 'deny') {
    if (turn.signal.aborted) return callInterrupted();
    context.stoppedBy ??= decision.stopReason;
    return withNotes(callRefused(decision), decision.additionalContext);
  }
  const startedAt = performance.now();
  const made = { name, input: decision.input, id };
  const done = (outcome: CallOutcome) => afterTool(made, outcome, performance.now() - startedAt, context);
  try {
    const toolContext = { toolUseID: id, signal: turn.signal };
    const isBackground = tool.effect === 'executes' && decision.input['run_in_background'] === true;
    const result = isBackground
      ? startInBackground(tool, decision.input, id, context)
      : yield* runTool(tool, decision.input, toolContext);
    return withNotes(await done(callDone(result, decision)), decision.additionalContext);
  } catch (error) {
    if (turn.signal.aborted) return callInterrupted();
    const failed = await done(callFailed(error instanceof Error ? error.message : String(error), decision));
    return withNotes(failed, decision.additionalContext);
  }
}

async function* runTool(
  tool: Tool,
  input: ToolInput,
  toolContext: ToolContext,
): AsyncGenerator<WireMessage, ToolResult, undefined> {
  const running = tool.run(input, toolContext);
  if (Symbol.asyncIterator in running) return yield* running;
  const { signal } = toolContext;
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    forget = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
  try {
    // This is a race because a tool may ignore the signal, and an interrupt does not wait for such a tool.
    return await Promise.race([running, aborted]);
  } finally {
    forget();
  }
}

/** Lets callers run one at a time, in order. */
export class SerialQueue {
  #last = Promise.resolve();

  /** Fulfils when the earlier callers are done, with the function that lets the next caller run. */
  enter(): Promise<() => void> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => (leave = resolve));
    return before.then(() => leave);
  }
}

/** Starts a command in the background. The result of the call reports that the command has begun. When the command ends, another turn begins. */
function startInBackground(tool: Tool, input: ToolInput, toolUseID: string, context: TurnContext): ToolResult {
  const description = typeof input['description'] === 'string' ? input['description'] : String(input['command']);
  const taskId = context.turn.background({
    description,
    task_type: 'local_bash',
    tool_use_id: toolUseID,
    async run(signal) {
      await tool.run(input, { toolUseID, signal });
      return { summary: `Background command "${description}" completed (exit code 0)` };
    },
  });
  return {
    content: `The command runs in the background, with the ID ${taskId}.`,
    output: { ...NO_OUTPUT, backgroundTaskId: taskId },
  };
}

const NO_OUTPUT = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
