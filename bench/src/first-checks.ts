// Prints what the first checks of a process cost, in milliseconds: of one delta, and after it of one message of each type.
import { parseMessage } from '@proto/core/messages';
import { type Recorded, recordings, TYPES } from './recordings.ts';

const recorded = recordings();
const isFirst = ({ text }: Recorded) => !text.includes('"stream_event"') || text.includes('"content_block_delta"');
const firsts = TYPES.flatMap((type) => recorded.get(type)?.find(isFirst) ?? []);
const values = firsts.map(({ text, direction }) => ({ value: JSON.parse(text) as unknown, direction }));

const start = performance.now();
check(values.slice(0, 1));
const delta = performance.now();
check(values);
const all = performance.now();
console.log(JSON.stringify({ delta: delta - start, all: all - start }));

function check(messages: typeof values): void {
  for (const { value, direction } of messages) {
    const { kind } = parseMessage(value, { direction });
    if (kind !== 'known') throw new Error(`a recorded message is ${kind}`);
  }
}
