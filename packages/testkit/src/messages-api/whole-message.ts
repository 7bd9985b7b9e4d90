import type { MessageEvent } from './message-events.ts';
import type { ApiError } from './script.ts';

type Members = Record<string, unknown>;

/** The message that a client which does not stream gets: what the events add up to, or the error they end with. */
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
  for (const [block, json] of inputs) block['input'] = JSON.parse(json);
  return { message: { ...message, content } };
}

/** Adds a delta to its block; the JSON of an input is whole only at the end. */
function add({ type, ...delta }: Members, block: Members, inputs: Map<Members, string>): void {
  for (const [name, piece] of Object.entries(delta) as [string, string][]) {
    if (type === 'input_json_delta') inputs.set(block, (inputs.get(block) ?? '') + piece);
    else block[name] = ((block[name] as string | undefined) ?? '') + piece;
  }
}
