import type { WireMessage } from '@proto/core/framing';
import { runCommands } from '../turns/run-actions.ts';
import { type Subagent, TurnContext } from '../turns/turn-context.ts';
import { stringMember, type Tool, type ToolResult } from './tool.ts';

const MAX_DEPTH = 3;
const TYPE = 'general-purpose';

/** The tool that gives a task to a subagent and waits for it. Messages of the subagent carry the id of this call. */
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
  const ids = { task_id: agentID, tool_use_id: toolUseID };
  const usage = () => usageOf(context, startedAt);
  yield systemMessage('task_started', {
    ...ids,
    description,
    subagent_type: TYPE,
    is_backgrounded: false,
    spawn_depth: depth,
    task_type: 'local_agent',
    prompt,
  });
  let status = 'failed';
  try {
    yield* runBetweenHooks(agentID, prompt, context);
    status = turn.signal.aborted ? 'stopped' : 'completed';
  } finally {
    yield systemMessage('task_notification', {
      ...ids,
      status,
      output_file: '',
      summary: context.text || description,
      usage: usage(),
    });
  }
  // After an interrupt the text is incomplete, so it is not returned as the answer.
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

async function* runBetweenHooks(agentID: string, prompt: string, context: TurnContext): AsyncGenerator<WireMessage> {
  const { turn } = context;
  const names = { agent_id: agentID, agent_type: TYPE };
  const { additionalContext } = await turn.runHooks('SubagentStart', names);
  additionalContext.forEach((text) => context.addInput(text));
  yield* runCommands(prompt, context);
  await turn.runHooks('SubagentStop', {
    ...names,
    stop_hook_active: false,
    agent_transcript_path: '',
    last_assistant_message: context.text,
  });
}

function usageOf({ tokens, toolUses }: TurnContext, startedAt: number) {
  return {
    total_tokens: tokens.input_tokens + tokens.output_tokens,
    tool_uses: toolUses,
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

function systemMessage(subtype: string, members: object): WireMessage {
  return { type: 'system', subtype, ...members };
}
