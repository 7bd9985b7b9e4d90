// An agent around the Messages API: the model streams text and calls tools until it needs no more. The agent asks for permissions and
// runs the tools; the library handles the protocol, from flags to interrupts.
import Anthropic from '@anthropic-ai/sdk';
import { runHeadless } from '@proto/headless';
import { runTool, TOOLS } from './tools.mjs';

// ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL are read from the environment.
const client = new Anthropic();

const DEFAULT_MODEL = 'claude-opus-5-5';
const MAX_TOKENS = 8192;

async function* runTurn(turn) {
  for (;;) {
    const { calls, isDone } = yield* ask(turn);
    // Every tool call gets a result, even if the turn was interrupted: the API refuses a conversation in which a call has no result.
    for (const call of calls) yield* callTool(turn, call);
    if (isDone || turn.signal.aborted) return;
  }
}

/** Sends one request to the model, and yields messages while the answer streams. Returns the tool calls, and whether the model is done. */
async function* ask({ history, signal, options }) {
  const body = {
    model: options.model ?? DEFAULT_MODEL,
    max_tokens: MAX_TOKENS,
    tools: TOOLS,
    // The history already has all yielded messages, and this prompt.
    messages: history.map(({ message: { role, content } }) => ({ role, content })),
  };
  const stream = client.messages.stream(body, { signal });
  const whole = [];
  try {
    for await (const event of stream) {
      // Hosts expect each whole block before the event that ends the block.
      if (event.type === 'content_block_stop') {
        whole.push(stream.currentMessage.content[event.index]);
        yield assistant(stream.currentMessage, whole.at(-1));
      }
      yield { type: 'stream_event', event, parent_tool_use_id: null };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const cut = stream.currentMessage?.content[whole.length];
    if (cut?.type === 'text') yield { ...assistant(stream.currentMessage, cut), aborted: true };
  }
  const calls = whole.filter(({ type }) => type === 'tool_use');
  return { calls, isDone: calls.length === 0 };
}

function assistant(message, block) {
  return { type: 'assistant', message: { ...message, content: [block] }, parent_tool_use_id: null };
}

/** Asks for permission to make the call, makes the call, and yields its result. */
async function* callTool(turn, call) {
  const outcome = turn.signal.aborted ? { content: 'interrupted', is_error: true } : await tryTool(turn, call);
  const result = { type: 'tool_result', tool_use_id: call.id, ...outcome };
  yield { type: 'user', message: { role: 'user', content: [result] }, parent_tool_use_id: null };
}

async function tryTool({ canUseTool, signal }, { id, name, input }) {
  const decision = await canUseTool(name, input, id);
  if (decision.behavior === 'deny') return { content: decision.message, is_error: true };
  return await runTool(name, decision.input, signal);
}

await runHeadless({ name: 'messages-api-agent', reads: ['model'], runTurn });
