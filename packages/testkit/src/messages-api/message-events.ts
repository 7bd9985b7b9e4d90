import { parseJson } from '@proto/core/framing';
import type { ApiError, MessageReply, ReplyBlock, ReplyStep } from './script.ts';

/** The value after `data:` in a streamed message. */
export interface MessageEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface MessageHead {
  readonly id: string;
  readonly model: unknown;
  readonly inputTokens: number;
  /** Creates an id for a tool call that has no id. */
  readonly toolUseId: () => string;
}

/**
 * Yields the events of a scripted message in the order of the API: `message_start`, then the start, the deltas and the stop of each block, then
 * `message_delta` and `message_stop`. An `error` step ends the events with an `error` event. A `cut` step throws.
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
      // The JSON is split into two pieces that are invalid on their own, so that clients must join them.
      const json = JSON.stringify(block['input'] ?? {});
      const middle = Math.ceil(json.length / 2);
      const pieces = [json.slice(0, middle), json.slice(middle)];
      const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      return { start: { ...block, id: block['id'] ?? toolUseId(), input: {} }, deltas };
    }
    default:
      // Blocks of other types are already complete in their start event.
      return { start: block, deltas: [] };
  }
}

/**
 * Creates a server-sent event stream that requests one event for each pull of its reader. The stream fails when `signal` aborts, and calls `lost`
 * when the reader cancels. In both cases, the stream does not wait for another event.
 */
export function eventStream(
  events: AsyncGenerator<MessageEvent, void, undefined>,
  signal: AbortSignal,
  lost: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = aborted(signal);
  return new ReadableStream<Uint8Array>({
    start: (controller) => void gone.then(() => controller.error(signal.reason)),
    async pull(controller) {
      const next = await Promise.race([events.next(), gone]);
      if (next === undefined) return;
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(`event: ${next.value.type}\ndata: ${JSON.stringify(next.value)}\n\n`));
    },
    cancel: (reason) => lost(reason ?? new Error('the client disconnected')),
  });
}

export function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

type Members = Record<string, unknown>;

/** Fulfils with the error if the events end with an error. */
export async function wholeMessage(
  events: AsyncIterable<MessageEvent>,
): Promise<{ readonly message: Readonly<Members> } | { readonly error: ApiError }> {
  let message: Members = {};
  const content: Members[] = [];
  const inputs = new Map<Members, string>();
  for await (const event of events) {
    if (event.type === 'error') return { error: event['error'] as ApiError };
    if (event.type === 'message_start') message = event['message'] as Members;
    if (event.type === 'content_block_start') content.push({ ...(event['content_block'] as Members) });
    if (event.type === 'content_block_delta') add(event['delta'] as Members, content.at(-1) ?? {}, inputs);
    if (event.type === 'message_delta') {
      const usage = { ...(message['usage'] as Members), ...(event['usage'] as Members) };
      message = { ...message, ...(event['delta'] as Members), usage };
    }
  }
  for (const [block, json] of inputs) block['input'] = parseJson(json);
  return { message: { ...message, content } };
}

/** The JSON of a tool input is complete only after the last delta. */
function add({ type, ...delta }: Members, block: Members, inputs: Map<Members, string>): void {
  for (const [name, piece] of Object.entries(delta) as [string, string][]) {
    if (type === 'input_json_delta') inputs.set(block, (inputs.get(block) ?? '') + piece);
    else block[name] = ((block[name] as string | undefined) ?? '') + piece;
  }
}
