/** The few lines that a medium itself must write or read. Apart from these lines, transports know nothing about the messages that they carry. */
import { parseJson } from '../../framing/parse-json.ts';

/** A line that only keeps a link alive, including its line end: `{"type":"keep_alive"}`. Peers ignore it. */
export const KEEP_ALIVE_LINE = '{"type":"keep_alive"}\n';

/** Returns `undefined` if the message has no `uuid`, or if the text is not a message. */
export function uuidOf(text: string): string | undefined {
  const { uuid } = membersOf(text);
  return typeof uuid === 'string' ? uuid : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(json: string): Members {
  try {
    return Object(parseJson(json)) as Members;
  } catch {
    return {};
  }
}
