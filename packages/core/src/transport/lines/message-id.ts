import { TextBatch } from './batch.ts';
import type { Batch, Outgoing } from '../transport.ts';
import { randomUuid } from './uuids.ts';
import { uuidOf } from './wire-lines.ts';

/** A message and the id under which it is sent. A text that is not a JSON object has no id. */
export interface IdentifiedMessage {
  readonly text: string;
  readonly id: string | undefined;
}

/**
 * Returns a message with its `uuid` as the id. If a message has no `uuid`, one is added, so that the message counts only once, no matter how often it
 * is sent.
 */
export function withMessageId({ text, id }: Outgoing): IdentifiedMessage {
  if (id !== undefined) return { text, id };
  const own = uuidOf(text);
  if (own !== undefined || !text.startsWith('{')) return { text, id: own };
  const made = randomUuid();
  // Added at the end, because the last `uuid` counts, even if an earlier `uuid` is not a string.
  const rest = text.slice(0, text.lastIndexOf('}'));
  return { text: `${rest}${rest === '{' ? '' : ','}"uuid":"${made}"}`, id: made };
}

export function withMessageIds(batch: Batch): Batch {
  let isChanged = false;
  const complete = new TextBatch();
  for (const message of batch.messages()) {
    const { text, id } = withMessageId(message);
    isChanged ||= message.id === undefined;
    complete.append(text, id, message.ephemeral);
  }
  return isChanged ? complete : batch;
}
