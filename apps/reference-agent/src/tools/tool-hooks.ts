import type { TurnContext } from '../turns/turn-context.ts';
import type { CallOutcome } from './call-outcome.ts';

interface MadeCall {
  readonly name: string;
  readonly input: object;
  readonly id: string;
}

/** Runs the host's hooks after a call. The hooks may replace the call's output, and add notes for the model. */
export async function afterTool(
  { name, input, id }: MadeCall,
  outcome: CallOutcome,
  durationMs: number,
  context: TurnContext,
): Promise<CallOutcome> {
  const { turn, subagent } = context;
  const call = {
    tool_name: name,
    tool_input: input,
    tool_use_id: id,
    duration_ms: Math.round(durationMs),
    ...(subagent !== undefined && { agent_id: subagent.agentID, agent_type: subagent.type }),
  };
  const hooks = outcome.isError
    ? await turn.runHooks('PostToolUseFailure', { ...call, error: outcome.text, is_interrupt: false })
    : await turn.runHooks('PostToolUse', { ...call, tool_response: outcome.output });
  context.stoppedBy ??= hooks.stopReason;
  const { updatedToolOutput, updatedMCPToolOutput = updatedToolOutput } = hooks.specific;
  const notes = [...(hooks.block === undefined ? [] : [hooks.block]), ...hooks.additionalContext];
  const updated = updatedMCPToolOutput === undefined ? outcome : withOutput(outcome, updatedMCPToolOutput);
  return withNotes(updated, notes);
}

/** Adds the notes of hooks to a result, because no message may be sent between a call and its result. */
export function withNotes(outcome: CallOutcome, notes: readonly string[] = []): CallOutcome {
  if (notes.length === 0) return outcome;
  const text = notes.join('\n');
  const content =
    typeof outcome.content === 'string' ? `${outcome.content}\n${text}` : [...outcome.content, { type: 'text', text }];
  return { ...outcome, content, text: `${outcome.text}\n${text}` };
}

function withOutput(outcome: CallOutcome, output: unknown): CallOutcome {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { ...outcome, content: text, text, output };
}
