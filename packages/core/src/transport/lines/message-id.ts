import { TextBatch } from './batch.ts';
import type { Batch, Outgoing } from '../transport.ts';
import { randomUuid } from './uuids.ts';
import { uuidOf } from './wire-lines.ts';

/** A message and the id it travels under; undefined for text that is no object, which can have none. */
export interface IdentifiedMessage {
  readonly text: string;
  readonly id: string | undefined;
}

/** The message with its `uuid`; one that has none gets one, so that however often it is sent it counts once. */
export function withMessageId({ text, id }: Outgoing): IdentifiedMessage {
  if (id !== undefined) return { text, id };
  const own = uuidOf(text);
  if (own !== undefined || !text.startsWith('{')) return { text, id: own };
  const made = randomUuid();
  // At the end, where it counts also beside one that is no string.
  const rest = text.slice(0, text.lastIndexOf('}'));
  return { text: `${rest}${rest === '{' ? '' : ','}"uuid":"${made}"}`, id: made };
}

/** A batch with an id for each of its messages. */
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
