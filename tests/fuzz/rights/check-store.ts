import { type FuzzServer, startServer } from '../server/start-server.ts';
import { sendRequest } from '../server/send-request.ts';
import { fixed, type Finding, shortened } from './marks.ts';
import type { Room } from './room.ts';

/** A finding in the files of a server; `room` is the number of the session that caused it. */
type StoreFinding = Finding & { readonly room: number };

/** Kills a server. Returns the defects of its files: forbidden texts, and sessions that changed after a restart. */
export async function findingsOfStore(
  server: FuzzServer,
  rooms: ReadonlyMap<number, Room>,
  known: ReadonlySet<string>,
): Promise<readonly StoreFinding[]> {
  const before = new Map<number, string>();
  for (const [number, room] of rooms) before.set(number, await logOf(server, room));
  await server.stop();
  const findings = marksIn(server, rooms, known);
  const next = await startServer({ store: 'file', folder: server.folder });
  try {
    for (const [number, room] of rooms) {
      if ((await logOf(next, room)) === before.get(number)) continue;
      const detail = differenceOf(before.get(number) ?? '', await logOf(next, room));
      findings.push({ kind: 'a session has changed after a restart', step: 'the end', detail, room: number });
    }
  } finally {
    await next.stop();
  }
  return findings;
}

/** Searches the files for forbidden texts, which may be there even if no reader has seen them. */
function marksIn(server: FuzzServer, rooms: ReadonlyMap<number, Room>, known: ReadonlySet<string>): StoreFinding[] {
  const texts = server.storeFiles().map((bytes) => bytes.toString('latin1'));
  const found = new Set(texts.flatMap((text) => text.match(/illegal_\d+_\d+_/g) ?? []));
  return [...rooms].flatMap(([number, room]) =>
    [...found]
      .filter((mark) => mark.split('_')[1] === fixed(room.session.number) && !known.has(mark))
      .map((mark) => {
        const kind = 'the file of the store contains a forbidden message';
        return { kind, step: 'the end', detail: room.marks.explained(mark), room: number, mark };
      }),
  );
}

/** Returns the server's answers to requests for all events and for the session. */
async function logOf(server: FuzzServer, { session }: Room): Promise<string> {
  const options = { method: 'GET', token: session.token('driver') };
  const url = `${server.url}${session.path}`;
  const answers = [await sendRequest(`${url}/events?limit=1000`, options), await sendRequest(url, options)];
  // Each server counts the omitted events from zero.
  const same = (text: string) => text.replace(/"skipped_entries":\d+/, '"skipped_entries":0');
  return answers.map(({ status, text }) => `${status} ${same(text)}`).join('\n');
}

/** Returns the place where two texts begin to differ, with some text before and after. */
function differenceOf(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const around = (text: string) => shortened(text.slice(Math.max(0, at - 200), at + 200));
  return `${before.length} characters: ${around(before)}\n    after: ${after.length} characters: ${around(after)}`;
}
