import type { WireMessage } from '@proto/core';
import type { ToolInput } from './action.ts';
import type { Lane } from './lane.ts';
import { callDone, callFailed, callInterrupted, type CallOutcome, callRefused } from './call-outcome.ts';
import { afterTool, withNotes } from './tool-hooks.ts';
import type { Thread } from './thread.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';
import { startInBackground } from './tools/in-background.ts';

/** A tool call of the agent. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: ToolInput;
}

/** What a tool call runs in. */
export interface CallContext {
  readonly thread: Thread;
  /** Where calls that change something wait for each other. */
  readonly lane: Lane;
  /** Fulfils when the reply is whole: its results follow then. */
  readonly whole: Promise<void>;
  /** Is told what the call came to. */
  readonly tell: (text: string) => void;
}

/** Makes a tool call as real agents do: the question whether it may be made, the call, and its result; the host's hooks around it. */
export async function* callTool(
  call: ToolCall,
  { thread, lane, whole, tell }: CallContext,
): AsyncGenerator<WireMessage, void, undefined> {
  const tool = thread.session.tool(call.tool, thread);
  const leave = tool === undefined || mayRunBeside(tool) ? () => {} : await lane.enter();
  try {
    const outcome = yield* outcomeOf(call, tool, thread);
    await whole;
    tell(outcome.text);
    thread.hear(outcome.text);
    yield thread.userMessage(
      [{ type: 'tool_result', tool_use_id: call.id, content: outcome.content, is_error: outcome.isError }],
      { tool_use_result: outcome.output, tool_result_meta: [{ id: call.id, ...outcome.meta }] },
    );
  } finally {
    leave();
  }
}

function mayRunBeside({ effect, isConcurrent = effect === 'reads' || effect === 'nothing' }: Tool): boolean {
  return isConcurrent;
}

async function* outcomeOf(
  { id, tool: name, input }: ToolCall,
  tool: Tool | undefined,
  thread: Thread,
): AsyncGenerator<WireMessage, CallOutcome, undefined> {
  const { turn, subagent } = thread;
  thread.toolUses++;
  if (turn.signal.aborted) return callInterrupted();
  if (tool === undefined) return callFailed(`There is no tool with the name ${name}.`);
  const decision = await turn.canUseTool(name, input, id, subagent === undefined ? {} : { agentID: subagent.agentID });
  if (decision.behavior === 'deny') {
    if (turn.signal.aborted) return callInterrupted();
    return withNotes(callRefused(decision), decision.additionalContext);
  }
  const startedAt = performance.now();
  const made = { name, input: decision.input, id };
  const done = (outcome: CallOutcome) => afterTool(made, outcome, performance.now() - startedAt, thread);
  try {
    const context = { toolUseID: id, signal: turn.signal };
    const isBackground = tool.effect === 'executes' && decision.input['run_in_background'] === true;
    const result = isBackground
      ? startInBackground(tool, decision.input, id, thread)
      : yield* runTool(tool, decision.input, context);
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
  context: ToolContext,
): AsyncGenerator<WireMessage, ToolResult, undefined> {
  const running = tool.run(input, context);
  if (Symbol.asyncIterator in running) return yield* running;
  const { signal } = context;
  let forget = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    forget = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
  try {
    // Raced: a tool need not heed the signal, and an interrupt does not wait for it.
    return await Promise.race([running, aborted]);
  } finally {
    forget();
  }
}
