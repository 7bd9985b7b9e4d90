import { parseJson } from '@proto/core/framing';
import { isObject, shortJson } from '@proto/testkit/steps';

import { hasFlag, member, type Message, type Session } from '../../session-log.ts';
import { blocksOfType } from './message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';

export const streamRules: readonly Rule[] = [
  { name: 'partial/order', spec: 'MSG-34', check: eventsOutOfOrder },
  { name: 'partial/input', spec: 'MSG-35', check: otherInputs },
  { name: 'partial/every-reply', spec: 'MSG-36', check: repliesWithoutEvents },
];

/** The current position in the events of one conversation: inside a reply, and inside a block of the reply. */
interface Place {
  isOpen: boolean;
  block: unknown;
  /** The index that the next block must have. */
  next: number;
}

function eventsOutOfOrder({ received }: Session): Broken | undefined {
  const places = new Map<unknown, Place>();
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'result') {
      const isOpen = places.get(null)?.isOpen === true;
      places.clear();
      if (isOpen) return { message: 'The turn has ended, but a reply has no message_stop.', got: message };
    }
    const { event } = message;
    if (message['type'] !== 'stream_event' || !isObject(event)) return undefined;
    const parent = message['parent_tool_use_id'];
    const place = places.get(parent) ?? { isOpen: false, block: undefined, next: 0 };
    places.set(parent, place);
    const problem = take(event, place);
    return problem === undefined ? undefined : { message: problem, got: message };
  });
}

/** Processes an event. Returns a sentence that says what is wrong with the position of the event, or undefined. */
function take(event: Message, place: Place): string | undefined {
  const { type, index } = event;
  if (type === 'message_start') {
    if (place.isOpen) return 'A message_start was sent before the message_stop of the previous reply.';
    Object.assign(place, { isOpen: true, block: undefined, next: 0 });
    return undefined;
  }
  const isBlockEvent = type === 'content_block_delta' || type === 'content_block_stop';
  if (!isBlockEvent && !['content_block_start', 'message_delta', 'message_stop'].includes(String(type)))
    return undefined;
  if (!place.isOpen) return `A ${String(type)} was sent without a message_start.`;
  if (isBlockEvent && place.block !== index)
    return `A ${String(type)} has the index ${shortJson(index)}, but no block with this index is open.`;
  if (!isBlockEvent && place.block !== undefined)
    return `A ${String(type)} was sent before the content_block_stop of the previous block.`;
  if (type === 'content_block_start') {
    if (index !== place.next) return `A block has the index ${shortJson(index)}, but must have ${place.next}.`;
    Object.assign(place, { block: index, next: place.next + 1 });
  }
  if (type === 'content_block_stop') place.block = undefined;
  if (type === 'message_stop') place.isOpen = false;
  return undefined;
}

function otherInputs({ received }: Session): Broken | undefined {
  const pieces = new Map<unknown, string>();
  const calls = new Map<string, unknown>();
  return firstOf(received, ({ message }) => {
    const { event } = message;
    if (message['type'] === 'assistant')
      for (const block of blocksOfType(message, 'tool_use')) {
        const text = pieces.get(block['id']);
        if (text !== undefined && text !== '' && !isSameJson(text, block['input']))
          return { message: 'The input of a call differs from the input that was streamed in pieces.', got: message };
      }
    if (message['type'] !== 'stream_event') return undefined;
    const place = `${String(message['parent_tool_use_id'])} ${String(member(event, 'index'))}`;
    if (member(event, 'type') === 'content_block_start') calls.set(place, member(event, 'content_block', 'id'));
    if (member(event, 'delta', 'type') !== 'input_json_delta') return undefined;
    const call = calls.get(place);
    pieces.set(call, (pieces.get(call) ?? '') + String(member(event, 'delta', 'partial_json')));
    return undefined;
  });
}

/** The members of objects may be in a different order. */
function isSameJson(text: string, value: unknown): boolean {
  try {
    return sorted(parseJson(text)) === sorted(value);
  } catch {
    return false;
  }
}

/** Returns the JSON of a value, with the members of each object sorted by name. */
export function sorted(value: unknown): string {
  const inOrder = (_: string, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part;
  return JSON.stringify(value, inOrder) ?? '';
}

function repliesWithoutEvents(session: Session): Broken | undefined {
  // An agent that never sends events does not have this feature.
  const hasEvents = session.received.some(({ message }) => message['type'] === 'stream_event');
  if (!hasEvents || !hasFlag(session, '--include-partial-messages')) return undefined;
  const started = new Set<unknown>();
  return firstOf(session.received, ({ message }) => {
    if (member(message, 'event', 'type') === 'message_start') started.add(member(message, 'event', 'message', 'id'));
    const { type, parent_tool_use_id: parent, error } = message;
    const isReply = type === 'assistant' && parent === null && error === undefined;
    if (!isReply || member(message, 'message', 'model') === '<synthetic>') return undefined;
    return started.has(member(message, 'message', 'id'))
      ? undefined
      : { message: 'A reply was sent, but no message_start has its message.id.', got: message };
  });
}
