import type { Random } from '../../schedules/random.ts';
import { nameOf } from '../server/accounts.ts';
import type { Answer } from '../server/send-request.ts';
import { encoded } from './encodings.ts';
import { resultsOf } from './entry-results.ts';
import type { Room } from './room.ts';
import { type JsonText, listText, objectText, pick, randomValue, shuffled, spelled, valueText } from './spelling.ts';
import type { Step } from './step.ts';

/** Bodies have far more forms than other input, so these steps run more often. */
const BODIES_OF_A_STEP = 4;

/** Steps that send any body from a role without limits: the stored messages must be those that any parser reads in the body. */
export const BODY_STEPS: Readonly<Record<string, Step>> = {
  'any-body': async (room, random, step) => {
    for (let time = 0; time < BODIES_OF_A_STEP; time++) await postBody(room, random, step);
  },
  'any-body-of-the-worker': async (room, random, step) => {
    const text = randomBody(random, `"worker_epoch":${room.lease.epoch},`);
    compare(room, step, await room.asWorker(step, '/worker/events', { body: text }), text, undefined, true);
  },
  'any-depth': async (room, random, step) => {
    const depth = pick(random, [400, 990, 1100, 5000, 200_000, 2_000_000]);
    const isWorker = random() < 0.5;
    const [open, close] = pick(random, [['[', ']'] as const, ['{"a":', '}'] as const, ['[1,{"a":', '}]'] as const]);
    const times = Math.floor(depth / (open.length > 5 ? 2 : 1));
    const deep = open.repeat(times) + '0' + close.repeat(times);
    const type = pick(random, [
      '"type":"assistant"',
      '"\\u0074ype":"assistant"',
      '"type" :\n"assistant"',
      '"ccr_event":1,"type":"assistant"',
    ]);
    const events = `"events":[{"payload":{${type},"uuid":"deep-${room.unique()}","x":${deep}}},{"payload":{"type":"assistant","uuid":"flat-${room.unique()}"}}]`;
    const answer = isWorker
      ? await room.asWorker(step, '/worker/events', { body: `{"worker_epoch":${room.lease.epoch},${events}}` })
      : await room.post(step, 'driver', { body: `{${events}}` });
    checkDepth(room, step, answer, depth < 1000, isWorker, `${depth} levels of ${open}, ${type}`);
  },
};

async function postBody(room: Room, random: Random, step: string): Promise<void> {
  const text = randomBody(random);
  const { how: _, ...options } = encoded(random, text);
  // Bytes that are not UTF-8 are read as the replacement character.
  const read = Buffer.isBuffer(options.body) ? new TextDecoder().decode(options.body) : text;
  compare(
    room,
    step,
    await room.post(step, 'driver', options),
    read,
    nameOf('driver', room.session.number),
    options.body === text,
  );
}

/** Creates a list that a parser may misread: repeated names, in several spellings, in any order, on any level. */
function randomBody(random: Random, epoch = ''): JsonText {
  const lists = random() < 0.75 ? 1 : 2;
  const members = Array.from({ length: lists }, () => [name(random, 'events'), randomList(random)] as const);
  const others = Array.from(
    { length: Math.floor(random() * 3) },
    () =>
      [
        spelled(random, pick(random, ['x', 'payload', 'a"b', '__proto__', 'event'])),
        valueText(random, randomValue(random)),
      ] as const,
  );
  return `{${epoch}${objectText(random, shuffled(random, [...members, ...others])).slice(1)}`;
}

function randomList(random: Random): JsonText {
  return listText(
    random,
    Array.from({ length: Math.floor(random() * 4) }, () => randomEntry(random)),
  );
}

function randomEntry(random: Random): JsonText {
  if (random() < 0.1) return valueText(random, randomValue(random));
  const payloads = random() < 0.65 ? 1 : 2;
  const members = Array.from({ length: payloads }, () => [name(random, 'payload'), randomPayload(random)] as const);
  const others = Array.from(
    { length: Math.floor(random() * 2) },
    () =>
      [
        spelled(random, pick(random, ['x', 'type', 'events', '__proto__', 'Payload'])),
        valueText(random, randomValue(random)),
      ] as const,
  );
  return objectText(random, shuffled(random, [...members, ...others]));
}

function randomPayload(random: Random): JsonText {
  if (random() < 0.15) return valueText(random, randomValue(random));
  const type = [name(random, 'type'), spelled(random, pick(random, ['user', 'assistant', 'result']))] as const;
  const more = Array.from(
    { length: Math.floor(random() * 4) },
    () =>
      [
        name(random, pick(random, ['x', 'type', 'message', '__proto__', 'ccr_event', 'payload', 'events', ''])),
        valueText(random, randomValue(random)),
      ] as const,
  );
  const id =
    random() < 0.3
      ? [
          [
            name(random, 'uuid'),
            valueText(random, pick(random, [`u-${random()}`, '', 5, null, 'x'.repeat(300)])),
          ] as const,
        ]
      : [];
  return objectText(random, shuffled(random, [type, ...more, ...id]));
}

function name(random: Random, text: string): JsonText {
  return spelled(random, text);
}

/** Records each accepted entry, which must be in the log as `JSON.parse` reads it. */
function compare(
  room: Room,
  step: string,
  answer: Answer,
  text: string,
  sender: string | undefined,
  isAsText: boolean,
): void {
  if (answer.status === undefined || answer.status >= 300) return;
  const read = parsedEvents(text);
  const results = resultsOf(answer);
  if (results.every(({ error }) => error !== undefined)) return;
  if (read === undefined || (isAsText && results.length !== read.length)) {
    return room.found(
      step,
      'the server accepts a body that its readers parse differently',
      `${text}\n    ${answer.text}`,
    );
  }
  results.forEach(({ event_id: eventId, sequence_num, duplicate, error }, index) => {
    if (error !== undefined || eventId === undefined || sequence_num === undefined || duplicate === true) return;
    const payload = (Object(read[index]) as { payload?: unknown }).payload;
    room.kept.push({
      step,
      written: text,
      eventId,
      payload,
      source: sender === undefined ? 'worker' : 'client',
      sender,
    });
  });
}

function parsedEvents(text: string): readonly unknown[] | undefined {
  try {
    const { events } = JSON.parse(text) as { events?: unknown };
    return Array.isArray(events) ? events : undefined;
  } catch {
    return undefined;
  }
}

function checkDepth(
  room: Room,
  step: string,
  answer: Answer,
  isAllowed: boolean,
  isWorker: boolean,
  what: string,
): void {
  const [deep, flat] = resultsOf(answer);
  const isTaken = deep !== undefined && deep.error === undefined;
  if (isTaken !== isAllowed) {
    room.found(
      step,
      isAllowed ? 'a message nested 990 levels deep is refused' : 'a message nested too deeply is accepted',
      `${what}\n    ${answer.status} ${answer.text}`,
    );
  }
  if (
    !isAllowed &&
    isWorker &&
    (answer.status !== 200 || flat?.error !== undefined || flat?.sequence_num === undefined)
  ) {
    room.found(
      step,
      'a message nested too deeply makes the server refuse the rest of its batch',
      `${what}\n    ${answer.status} ${answer.text}`,
    );
  }
  if (!isAllowed && !isWorker && answer.status !== 400) {
    room.found(
      step,
      'a message nested too deeply is not answered with 400',
      `${what}\n    ${answer.status} ${answer.text}`,
    );
  }
}
