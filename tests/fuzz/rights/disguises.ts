import type { Random } from '../../schedules/random.ts';
import {
  disguised,
  inAnotherCase,
  type JsonText,
  listText,
  objectText,
  pick,
  shuffled,
  spelled,
  valueText,
} from './spelling.ts';
import type { Message } from './stream-reader.ts';

/** A forbidden message, hidden next to or within an allowed message. */
export interface Hidden {
  readonly random: Random;
  /** The forbidden message. */
  readonly bad: Message;
  /** The allowed message: an answer to an open request, or a `keep_alive`. */
  readonly cover: Message;
}

type Disguise = (hidden: Hidden) => JsonText;

/** Ways to write one text that two parsers read as two different messages. */
export const MESSAGE_DISGUISES: Readonly<Record<string, Disguise>> = {
  'as it is': ({ random, bad }) => valueText(random, bad),
  'its type twice': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        ...membersOf(random, { ...cover, ...bad }),
        [twin(random, 'type'), valueText(random, cover['type'])],
      ]),
    ),
  'its type in another case': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        ...membersOf(random, { ...bad, ...cover }),
        [spelled(random, inAnotherCase(random, 'type')), valueText(random, bad['type'])],
      ]),
    ),
  'its response twice': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [...membersOf(random, cover), [twin(random, 'response'), valueText(random, bad)]]),
    ),
  'its response in another case': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        ...membersOf(random, cover),
        [spelled(random, inAnotherCase(random, 'response')), valueText(random, bad)],
      ]),
    ),
  'its request twice': ({ random, bad }) =>
    objectText(random, [
      ['"type"', '"control_request"'],
      ['"request_id"', '"twice"'],
      ...shuffled(random, [
        [twin(random, 'request'), '{"subtype":"initialize"}'],
        [spelled(random, 'request'), valueText(random, { subtype: 'initialize', hooks: bad })],
      ] as const),
    ]),
  'its subtype twice': ({ random, bad }) =>
    `{"type":"control_request","request_id":"twice","request":${objectText(
      random,
      shuffled(random, [
        ['"subtype"', '"initialize"'],
        [twin(random, 'subtype'), '"set_model"'],
        ['"model"', valueText(random, bad)],
      ]),
    )}}`,
  'with an allowed message as its prototype': ({ random, bad, cover }) =>
    objectText(random, shuffled(random, [...membersOf(random, bad), ['"__proto__"', valueText(random, cover)]])),
  'a list of it': ({ random, bad }) => listText(random, [valueText(random, bad)]),
  'a text of it': ({ random, bad }) => spelled(random, JSON.stringify(bad)),
};

/** Ways to write the body of a POST in which two parsers find two different lists of entries. */
export const BODY_DISGUISES: Readonly<Record<string, Disguise>> = {
  'an entry among others': ({ random, bad, cover }) =>
    body(random, shuffled(random, [entry(random, cover), entry(random, bad)])),
  'the list twice': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        [twin(random, 'events'), listText(random, [entry(random, bad)])],
        [twin(random, 'events'), listText(random, [entry(random, cover)])],
      ]),
    ),
  'the list twice, once no list': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        [twin(random, 'events'), valueText(random, { '0': { payload: bad }, length: 1 })],
        ['"events"', listText(random, [entry(random, cover)])],
      ]),
    ),
  'the list three times': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(
        random,
        [cover, bad, cover].map(
          (message) => [twin(random, 'events'), listText(random, [entry(random, message)])] as const,
        ),
      ),
    ),
  'the payload twice': ({ random, bad, cover }) =>
    body(random, [
      objectText(
        random,
        shuffled(random, [
          [twin(random, 'payload'), valueText(random, bad)],
          [twin(random, 'payload'), valueText(random, cover)],
        ]),
      ),
    ]),
  'the list in another case': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        [spelled(random, inAnotherCase(random, 'events')), listText(random, [entry(random, bad)])],
        ['"events"', listText(random, [entry(random, cover)])],
      ]),
    ),
  'the payload in another case': ({ random, bad, cover }) =>
    body(random, [
      objectText(
        random,
        shuffled(random, [
          [spelled(random, inAnotherCase(random, 'payload')), valueText(random, bad)],
          ['"payload"', valueText(random, cover)],
        ]),
      ),
    ]),
  'the prototype of the body': ({ random, bad, cover }) =>
    objectText(
      random,
      shuffled(random, [
        ['"__proto__"', `{"events":[${entry(random, bad)}]}`],
        ['"events"', listText(random, [entry(random, cover)])],
      ]),
    ),
  'the prototype of an entry': ({ random, bad }) =>
    body(random, [`{"__proto__":{"payload":${valueText(random, bad)}}}`]),
  'a payload within the payload': ({ random, bad, cover }) =>
    body(random, [`{"payload":${valueText(random, { payload: cover })},"x":{"payload":${valueText(random, bad)}}}`]),
  'no list': ({ random, bad }) => valueText(random, { payload: bad }),
  'a bare message': ({ random, bad }) => valueText(random, bad),
  'a list alone': ({ random, bad }) => listText(random, [entry(random, bad)]),
  'an entry that is a list': ({ random, bad }) => body(random, [listText(random, [entry(random, bad)])]),
  'a payload that is a list': ({ random, bad }) =>
    body(random, [`{"payload":${listText(random, [valueText(random, bad)])}}`]),
  'an entry that is a message': ({ random, bad }) => body(random, [valueText(random, bad)]),
  'a text with quotes and brackets before it': ({ random, bad, cover }) =>
    objectText(random, [
      ['"x"', spelled(random, '\\"]}],"events":[')],
      ['"events"', listText(random, [entry(random, cover)])],
      [twin(random, 'events'), listText(random, [entry(random, bad)])],
    ]),
  'a name with quotes and brackets': ({ random, bad, cover }) =>
    objectText(random, [
      ['"a\\":[\\"events"', listText(random, [entry(random, bad)])],
      ['"events"', listText(random, [entry(random, cover)])],
    ]),
  'two documents': ({ random, bad, cover }) =>
    `${body(random, [entry(random, cover)])}${pick(random, ['\n', '', ' ', '\0', ','])}${body(random, [entry(random, bad)])}`,
  'a comment': ({ random, bad, cover }) =>
    `{"events":[${entry(random, cover)}]/*,*/,"x":0//\n,"events":[${entry(random, bad)}]}`,
  'an envelope around it': ({ random, bad, cover }) =>
    body(random, [
      `{"payload":${valueText(random, cover)},"ccr_event":${valueText(random, bad)},"source":"worker","sender":"driver-0"}`,
    ]),
};

/** The disguises of a body that have the most forms. */
export const TWICE: readonly string[] = ['the list twice', 'the payload twice'];

/** Creates a body from a list of events. */
export function body(random: Random, entries: readonly JsonText[]): JsonText {
  return objectText(random, [[spelled(random, 'events'), listText(random, entries)]]);
}

/** Creates an entry from a message. */
export function entry(random: Random, message: Message): JsonText {
  return objectText(random, [[spelled(random, 'payload'), valueText(random, message)]]);
}

/** Spells a repeated name: either in the same spelling, or in another spelling. */
function twin(random: Random, name: string): JsonText {
  return random() < 0.5 ? disguised(random, name) : JSON.stringify(name);
}

function membersOf(random: Random, message: Message): readonly (readonly [JsonText, JsonText])[] {
  return Object.entries(message).map(([name, value]) => [spelled(random, name), valueText(random, value)]);
}
