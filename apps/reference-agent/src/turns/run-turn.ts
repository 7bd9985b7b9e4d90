import { type PromptContent, textOf, type Turn } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { TurnEnd } from '../actions.ts';
import { splitWords } from './blocks.ts';
import { runActions, runCommands } from './run-actions.ts';
import { giveStructuredOutput } from './structured-output.ts';
import { type ReferenceSession, TurnContext } from './turn-context.ts';

/** One turn of the agent itself, from its prompt to its result. */
export async function* runTurn(session: ReferenceSession, turn: Turn): AsyncGenerator<WireMessage, void, undefined> {
  const context = new TurnContext(turn, session, textOf(turn.prompt));
  turn.additionalContext.forEach((text) => context.addInput(text));
  yield { type: 'result', ...(yield* outcome(context)), ...used(context) };
}

/** Runs the commands of the prompt. Returns how the turn ended, as members of its result. */
async function* outcome(context: TurnContext): AsyncGenerator<WireMessage, object, undefined> {
  try {
    yield* converse(context);
    const structured = yield* giveStructuredOutput(context);
    const { text: result, stoppedBy, stopReason: stop_reason } = context;
    const terminal_reason = stoppedBy === undefined ? 'completed' : 'hook_stopped';
    return { subtype: 'success', is_error: false, result, stop_reason, terminal_reason, ...structured };
  } catch (error) {
    const { stopReason: stop_reason } = context;
    if (error instanceof TurnEnd) return { stop_reason, ...error.result };
    const text = error instanceof Error ? error.message : String(error);
    return { subtype: 'error_during_execution', is_error: true, errors: [text], stop_reason };
  }
}

async function* converse(context: TurnContext): AsyncGenerator<WireMessage, void, undefined> {
  const { turn, queued } = context;
  // The prompt that reports the end of a background task contains no commands.
  if (turn.origin?.['kind'] === 'task-notification') {
    yield* runActions([{ kind: 'say', pieces: splitWords(textOf(turn.prompt)) }], context);
    return;
  }
  let prompt: PromptContent | undefined = turn.prompt;
  for (; prompt !== undefined; prompt = queued.shift()) yield* runCommands(textOf(prompt), context);
}

/** The usage members that are always 0, because this agent has no cache and no server tools. */
const NO_USAGE = {
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
};

function used({ tokens, session }: TurnContext): object {
  return {
    usage: { ...NO_USAGE, ...tokens },
    modelUsage: session.usage.byModel(),
    total_cost_usd: session.usage.costUsd,
  };
}
