import { isDeepStrictEqual } from 'node:util';
import type { Room } from './room.ts';
import type { Message } from './stream-reader.ts';

/** Compares what readers, the agent and the log have with what was sent, and adds the differences to the findings of a room. */
export async function checkRoom(room: Room): Promise<void> {
  await room.fence();
  const { events, text } = await room.log();
  room.findings.push(...room.marks.findings(text, 'the log', false));
  room.findings.push(...room.marks.findings(room.agent.text, 'the agent', true));
  for (const reader of room.readers) room.findings.push(...room.marks.findings(reader.text, reader.name, false));
  checkKept(room, events);
  checkNumbers(room, events);
  for (const failure of await room.server.failures()) {
    // The server drops messages of a worker above a limit, and reports the loss.
    if (/^ingress: .* was skipped; \d+ so far$/.test(failure)) continue;
    room.found('the end', 'an internal error of the server', failure);
  }
}

/** Checks that each acknowledged message is stored once, unchanged, with its sender. */
function checkKept(room: Room, events: readonly Message[]): void {
  for (const { step, eventId, payload, source, sender, written } of room.kept) {
    const found = events.filter((event) => (eventId === '' ? isSaid(event, payload) : event['event_id'] === eventId));
    const [event] = found;
    const what = textOf(payload) + (written === undefined ? '' : `\n    sent: ${written}`);
    if (event === undefined) room.found(step, `a message of the ${source} is not in the log`, what);
    else if (found.length > 1) room.found(step, `a message of the ${source} is in the log ${found.length} times`, what);
    else if (!isSame(event['payload'], payload)) {
      room.found(
        step,
        `a message of the ${source} is in the log in another form`,
        `${what}\n    kept: ${textOf(event['payload'])}`,
      );
    } else if (event['source'] !== source || event['sender'] !== sender) {
      room.found(step, 'the log has another sender for a message', JSON.stringify({ event, source, sender }));
    }
  }
}

/** Returns whether an event is this message of the worker, whose event id is unknown. */
function isSaid(event: Message, payload: unknown): boolean {
  const uuid = (value: unknown) => (Object(value) as Message)['uuid'];
  return event['source'] === 'worker' && uuid(event['payload']) === uuid(payload);
}

/** Checks that sequence numbers have no gap. */
function checkNumbers(room: Room, events: readonly Message[]): void {
  const numbers = events.map(({ sequence_num }) => sequence_num);
  if (
    !isDeepStrictEqual(
      numbers,
      events.map((_, index) => index + 1),
    )
  ) {
    room.found('the end', 'sequence numbers have gaps', numbers.join());
  }
}

/** Returns whether a stored message equals the sent one, except for an added uuid and the envelope that only the server may write. */
function isSame(kept: unknown, sent: unknown): boolean {
  try {
    return isAlike(kept, sent);
  } catch {
    // The message is nested too deeply to be compared.
    return false;
  }
}

function isAlike(kept: unknown, sent: unknown): boolean {
  const { uuid, ...members } = Object(kept) as Message;
  const { uuid: given, ccr_event: _, ...rest } = Object(sent) as Message;
  const isId = typeof given === 'string' && given !== '' && given.length <= 256;
  return isDeepStrictEqual(without(members), without(rest)) && (!isId || uuid === given);
}

function without({ ccr_event: _, ...members }: Message): Message {
  // Parsing twice makes different spellings of a value, such as `-0`, equal.
  return JSON.parse(JSON.stringify(members)) as Message;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return 'something nested very deeply';
  }
}
