// Prints the CPU time of the first checks of a process, in milliseconds: first for one delta, and then for one message of each type. With the
// argument `zod`, the program uses the schemas of zod instead of the generated checks, and prints the CPU time for loading the schemas and then for
// checking.
import { parseMessage } from '@proto/core/messages';
import type { Message } from './message-schemas.ts';
import { type Recorded, recordings, TYPES } from './recordings.ts';

const recorded = recordings();
const isFirst = ({ text }: Recorded) => !text.includes('"stream_event"') || text.includes('"content_block_delta"');
const firsts = TYPES.flatMap((type) => recorded.get(type)?.find(isFirst) ?? []);
const values = firsts.map(({ text, direction }) => ({ value: JSON.parse(text) as Message, direction }));

const start = cpuMs();
if (process.argv.includes('zod')) {
  const { schemaOf } = await import('./message-schemas.ts');
  const schemas = values.map(({ value, direction }) => schemaOf(value, direction));
  const built = cpuMs();
  for (const [index, schema] of schemas.entries()) {
    const { value } = values[index] as (typeof values)[number];
    // A request is checked with the schema of its body.
    if (!schema.safeParse(value.request ?? value).success) throw new Error('a recorded message is invalid');
  }
  console.log(JSON.stringify({ build: built - start, check: cpuMs() - built }));
} else {
  check(values.slice(0, 1));
  const delta = cpuMs();
  check(values);
  console.log(JSON.stringify({ delta: delta - start, all: cpuMs() - start }));
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function check(messages: typeof values): void {
  for (const { value, direction } of messages) {
    const { kind } = parseMessage(value, { direction });
    if (kind !== 'known') throw new Error(`a recorded message is ${kind}`);
  }
}
