import type { WireMessage } from '@proto/core';
import { type PromptContent, textOf, type Turn } from '@proto/agent';
import { act } from './act.ts';
import { giveStructuredOutput } from './give-structured-output.ts';
import { runCommands } from './run-commands.ts';
import type { ReferenceSession } from './thread.ts';
import { Thread } from './thread.ts';
import { TurnEnd } from './turn-end.ts';
import { words } from './words.ts';

/** One turn of the main thread, from its prompt to its result. */
export async function* runTurnOf(session: ReferenceSession, turn: Turn): AsyncGenerator<WireMessage, void, undefined> {
  const thread = new Thread(turn, session, textOf(turn.prompt));
  turn.additionalContext.forEach((text) => thread.hear(text));
  yield { type: 'result', ...(yield* outcome(thread)), ...used(thread) };
}

/** Says and does what the prompt asks for; gives how the turn ended, as members of its result. */
async function* outcome(thread: Thread): AsyncGenerator<WireMessage, object, undefined> {
  try {
    yield* converse(thread);
    const structured = yield* giveStructuredOutput(thread);
    const { text: result, stoppedBy, stopReason: stop_reason } = thread;
    const terminal_reason = stoppedBy === undefined ? 'completed' : 'hook_stopped';
    return { subtype: 'success', is_error: false, result, stop_reason, terminal_reason, ...structured };
  } catch (error) {
    const { stopReason: stop_reason } = thread;
    if (error instanceof TurnEnd) return { stop_reason, ...error.result };
    const text = error instanceof Error ? error.message : String(error);
    return { subtype: 'error_during_execution', is_error: true, errors: [text], stop_reason };
  }
}

async function* converse(thread: Thread): AsyncGenerator<WireMessage, void, undefined> {
  const { turn, queued } = thread;
  // The end of a task of its own is news, and no commands.
  if (turn.origin?.['kind'] === 'task-notification') {
    yield* act([{ kind: 'say', pieces: words(textOf(turn.prompt)) }], thread);
    return;
  }
  let prompt: PromptContent | undefined = turn.prompt;
  for (; prompt !== undefined; prompt = queued.shift()) yield* runCommands(textOf(prompt), thread);
}

/** What a model that has no cache and no tools of its own never uses. */
const NO_USAGE = {
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
};

function used({ tokens, session }: Thread): object {
  return {
    usage: { ...NO_USAGE, ...tokens },
    modelUsage: session.usage.byModel(),
    total_cost_usd: session.usage.costUsd,
  };
}
