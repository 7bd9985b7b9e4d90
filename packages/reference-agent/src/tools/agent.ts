import type { WireMessage } from '@proto/core/framing';
import { runCommands } from '../turns/run-actions.ts';
import { type Subagent, TurnContext } from '../turns/turn-context.ts';
import { stringMember, type Tool, type ToolResult } from './tool.ts';

const MAX_DEPTH = 3;
const TYPE = 'general-purpose';

/** Gives a task to a subagent, and waits for it: what it says and does is told under the call it belongs to. */
export function agentTool(parent: TurnContext): Tool {
  return {
    name: 'Agent',
    effect: 'nothing',
    run: (input, { toolUseID }) =>
      delegate(parent, stringMember(input, 'prompt'), stringMember(input, 'description'), toolUseID),
  };
}

async function* delegate(
  { turn, session, subagent: parent }: TurnContext,
  prompt: string,
  description: string,
  toolUseID: string,
): AsyncGenerator<WireMessage, ToolResult, undefined> {
  const depth = (parent?.depth ?? 0) + 1;
  if (depth > MAX_DEPTH) throw new Error(`Subagents may not be nested deeper than ${MAX_DEPTH}.`);
  const agentID = crypto.randomUUID();
  const subagent: Subagent = { toolUseID, agentID, type: TYPE, description, depth };
  const context = new TurnContext(turn, session, prompt, subagent);
  const startedAt = performance.now();
  const system = (subtype: string, members: object): WireMessage => ({
    type: 'system',
    subtype,
    task_id: agentID,
    tool_use_id: toolUseID,
    ...members,
  });
  const usage = () => ({
    total_tokens: context.tokens.input_tokens + context.tokens.output_tokens,
    tool_uses: context.toolUses,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  yield system('task_started', {
    description,
    subagent_type: TYPE,
    is_backgrounded: false,
    spawn_depth: depth,
    task_type: 'local_agent',
    prompt,
  });
  let status = 'failed';
  try {
    const { additionalContext } = await turn.runHooks('SubagentStart', { agent_id: agentID, agent_type: TYPE });
    additionalContext.forEach((text) => context.hear(text));
    yield* runCommands(prompt, context);
    await turn.runHooks('SubagentStop', {
      agent_id: agentID,
      agent_type: TYPE,
      stop_hook_active: false,
      agent_transcript_path: '',
      last_assistant_message: context.text,
    });
    status = turn.signal.aborted ? 'stopped' : 'completed';
  } finally {
    yield system('task_notification', {
      status,
      output_file: '',
      summary: context.text || description,
      usage: usage(),
    });
  }
  // What it has said so far is no answer to what it was asked.
  turn.signal.throwIfAborted();
  const { total_tokens, tool_uses, duration_ms } = usage();
  return {
    content: [{ type: 'text', text: context.text }],
    output: {
      status,
      prompt,
      agentId: agentID,
      content: [{ type: 'text', text: context.text }],
      totalTokens: total_tokens,
      totalToolUseCount: tool_uses,
      totalDurationMs: duration_ms,
    },
  };
}
