import type { MessageReply, ReplyBlock, ReplyStep } from './script.ts';

/** One event of a streamed message, as it stands behind `data:`. */
export interface MessageEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What a message has beside its content. */
export interface MessageHead {
  readonly id: string;
  readonly model: unknown;
  readonly inputTokens: number;
  /** Gives an id to a tool call that has none. */
  readonly toolUseId: () => string;
}

/**
 * The events of a scripted message in the order of the API: `message_start`, for each block its start, its deltas and its stop,
 * `message_delta`, `message_stop`. Where the script breaks the connection it throws, where it fails an `error` event is the last.
 */
export async function* messageEvents(
  { content, usage, ...reply }: MessageReply,
  { id, model, inputTokens, toolUseId }: MessageHead,
): AsyncGenerator<MessageEvent, void, undefined> {
  const tokens = { input_tokens: inputTokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const head = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
  const first = { ...tokens, output_tokens: 1, service_tier: 'standard', ...usage };
  yield { type: 'message_start', message: { ...head, usage: first } };

  let length = 0;
  let index = -1;
  let inText = false;
  const stop = (): MessageEvent => ({ type: 'content_block_stop', index });
  for (const step of content) {
    if (isBetween(step)) {
      if ('cut' in step) throw new TypeError('the script cuts the connection');
      if ('error' in step) return yield { type: 'error', error: step.error };
      await step.wait;
      continue;
    }
    const { start, deltas } = streamed(typeof step === 'string' ? { type: 'text', text: step } : step, toolUseId);
    if (!inText || typeof step !== 'string') {
      if (inText) yield stop();
      yield { type: 'content_block_start', index: ++index, content_block: start };
      if (index === 0) yield { type: 'ping' };
    }
    for (const delta of deltas) {
      length += JSON.stringify(delta).length;
      yield { type: 'content_block_delta', index, delta };
    }
    inText = typeof step === 'string';
    if (!inText) yield stop();
  }
  if (inText) yield stop();

  const usesTool = content.some((step) => isBlock(step) && step.type === 'tool_use');
  const { stop_reason = usesTool ? 'tool_use' : 'end_turn', stop_sequence = null } = reply;
  const last = { ...tokens, output_tokens: Math.max(1, Math.ceil(length / 4)), ...usage };
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: last };
  yield { type: 'message_stop' };
}

type Between = Exclude<ReplyStep, string | ReplyBlock>;

function isBlock(step: ReplyStep): step is ReplyBlock {
  return typeof step === 'object' && 'type' in step;
}

function isBetween(step: ReplyStep): step is Between {
  return typeof step === 'object' && !('type' in step);
}

/** How a block begins, and what makes it whole. */
function streamed(block: ReplyBlock, toolUseId: () => string): { start: object; deltas: readonly object[] } {
  switch (block.type) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block['text'] }] };
    case 'thinking': {
      const { thinking, signature = 'c2NyaXB0ZWQ=' } = block;
      const deltas = [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ];
      return { start: { ...block, thinking: '', signature: '' }, deltas };
    }
    case 'tool_use': {
      // In two pieces, neither of which is JSON by itself: clients have to put them together.
      const json = JSON.stringify(block['input'] ?? {});
      const middle = Math.ceil(json.length / 2);
      const pieces = [json.slice(0, middle), json.slice(middle)];
      const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      return { start: { ...block, id: block['id'] ?? toolUseId(), input: {} }, deltas };
    }
    default:
      // The others come whole with their start.
      return { start: block, deltas: [] };
  }
}
