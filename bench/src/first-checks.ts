// Prints what the first checks of a process cost, in milliseconds of CPU time: of one delta, and after it of one message of each type. With the
// argument `apart`: what building their schemas costs, and after it what checking one message of each type does.
import { controlRequests, messagesFromAgent, messagesFromHost, parseMessage } from '@proto/core/messages';
import { type Recorded, recordings, TYPES } from './recordings.ts';

type Build = () => unknown;

const recorded = recordings();
const isFirst = ({ text }: Recorded) => !text.includes('"stream_event"') || text.includes('"content_block_delta"');
const firsts = TYPES.flatMap((type) => recorded.get(type)?.find(isFirst) ?? []);
const values = firsts.map(({ text, direction }) => ({ value: JSON.parse(text) as Message, direction }));

interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly request?: { readonly subtype: string };
}

const start = cpuMs();
if (process.argv.includes('apart')) {
  for (const { value, direction } of values) schemaOf(value, direction)();
  const built = cpuMs();
  check(values);
  console.log(JSON.stringify({ construct: built - start, checkBuilt: cpuMs() - built }));
} else {
  check(values.slice(0, 1));
  const delta = cpuMs();
  check(values);
  console.log(JSON.stringify({ delta: delta - start, all: cpuMs() - start }));
}

function schemaOf({ type, subtype, request }: Message, direction: Recorded['direction']): Build {
  if (request !== undefined) return controlRequests[request.subtype as keyof typeof controlRequests].request;
  const table: Readonly<Record<string, Build>> = direction === 'from-agent' ? messagesFromAgent : messagesFromHost;
  const build = table[`${type}/${subtype}`] ?? table[type];
  if (build === undefined) throw new Error(`no schema of ${type}`);
  return build;
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
