type Passage = readonly string[];

const READERS = ['ann', 'ben', 'eve', 'the worker'];
/** The server goes, and what it had in memory with it. The last time, it has stored what follows from the log. */
const RESTARTS = [
  'the server is killed',
  'the server is drained, a second',
  'the worker says very much, a second, the server is killed',
];
const TWICE_MUCH = 'the worker says very much, a second, the worker says very much, a second';

/** Orders of steps that hurt a server which forgets something, or believes somebody too long. */
const PASSAGES: readonly Passage[] = [
  ...RESTARTS.flatMap((restart) => [
    // An answer, a restart, and the answer once more; and another one.
    passage('the worker asks, a second, eve answers, a second', restart, 'eve repeats, eve answers again'),
    passage('the worker asks, a second', restart, 'eve answers, a second, ann answers'),
    // What was answered is listed as open by an agent that has not looked yet.
    passage(
      'the worker asks, a second, eve joins, a second, eve answers, a second',
      restart,
      'the worker answers, a second, eve answers again, ann answers',
    ),
    // Who joins is answered with what is open now, and with what the agent has answered last.
    passage(
      'eve joins, a second, the worker answers, the worker asks, the worker asks, a second, eve answers, a second',
      restart,
      'max joins, max answers',
    ),
    // What was done is done, and what was not is not.
    passage(
      'another worker comes, ann says one, a second, the worker is done, ann says one, a second',
      restart,
      'the worker starts again',
    ),
  ]),
  passage('eve joins, a second, the worker answers, eve joins, a second, the worker answers, a second, max joins'),
  passage('max joins, eve joins, a second, another worker comes, a second, the worker answers, another worker comes'),
  passage('another worker comes, ann says one, a second, the worker is done, a second, the worker starts again'),
  // Who is out says what it has.
  passage(
    'ann says one, a second, another worker comes, a second, another worker comes, a second',
    'the worker before is done, a second, the worker starts again',
  ),
  passage('another worker comes, a second, another worker comes, a second, ann says one, the worker before says one'),
  // An increment is lost with the answer to it, and what was said beside it is not.
  ...['answer lost', 'refused'].map((fate) =>
    passage(`a second, the worker: ${fate}, the worker streams, a second, the worker streams`),
  ),
  // A reader goes while it has not taken all.
  passage('ann is busy, the worker says three, a second, ann starts again, the worker says one'),
  passage('ann is busy, the worker says three, a second, ann: rst behind 0, ann is free, the worker says one'),
  // Somebody loses a right while something of his is under way.
  passage('eve says one, eve is shut out, the worker says one, eve says one, a second, eve starts again, eve says one'),
  passage('eve: does not read, the worker says three, eve is shut out, the worker says one, eve: reads'),
  passage(
    'the worker asks, a second, eve may only look on, eve answers, eve says one, the worker says one, a second',
    'eve starts again',
  ),
  passage(
    'ann says one, ann has another token, ann says one, the worker says one, ben has another token, ben says one',
  ),
];

/** Retention is ahead of a reader, which is slow, cut off or away, and of what was said long ago. */
const RETENTION: readonly Passage[] = [
  ...READERS.flatMap((who) => [
    passage(`${who}: does not read`, TWICE_MUCH, `${who}: reads`),
    passage(`${who}: stall behind 300`, TWICE_MUCH),
  ]),
  passage('the worker asks, a second, eve answers, a second', TWICE_MUCH, 'eve repeats, eve answers again'),
  passage(
    'ann says one, the worker asks, a second',
    TWICE_MUCH,
    'the server is killed, eve answers, the worker starts again',
  ),
];

const SOCKET_PASSAGES: readonly Passage[] = [
  // The proof of one that is out arrives: who comes later has to be told what nobody with a lease has had.
  passage(
    'a published worker comes, a second, the worker: does not read, ann says one, a second, a second',
    'another worker comes, a second, the worker before: reads, a second, another worker comes',
  ),
  // The proof of one is not that of the next, which goes on from the beginning.
  passage(
    'a published worker comes, a second, eve joins, ann says one, a second, a second',
    'a published worker goes on, a second, ann says one, a second',
  ),
  passage(
    'a published worker comes, a second, ann says one, a second, a second, another worker comes, a second',
    'eve says one, a second, the worker is done, a second, a published worker goes on',
  ),
  // A link breaks before its proof, or behind it.
  passage(
    'a published worker comes, a second, ann says one, the worker says one, a moment, the worker: rst behind 0',
    'a second, another worker comes',
  ),
  passage(
    'another worker comes by socket, a second, ann says one, a bit of time, the worker: rst behind 0',
    'the server is killed, a second, another worker comes',
  ),
  passage(
    'another worker comes by socket, a second, the worker says one, another worker comes',
    'the worker before says one, a second, the worker before says one',
  ),
  // A WebSocket whose lines are not stored, or not acknowledged.
  passage('the disk hangs, ben says three, a second, ben says one, a second, a second, ben says one'),
  passage('the disk hangs, ben: rst behind 0, ben says three, a second, ben says one, a second, the server is killed'),
  passage('ben says three, a write fails, ben says one, a second, ben says one, the server is killed'),
  passage('ben says one, a second, a write fails, ben says one, a second, ben says one, a second, ben says one'),
  passage('ben says one, a second, ben says one, ben: rst behind 0, ben says one, a second, ben says one'),
  passage('ben has another token, a second, ben says one, ben moves, ben has another token, ben says one'),
];

/** So many of the passages are about a log that is too long: they take ten times as long as others. */
const SHARE_OF_RETENTION = 1 / 4;

/** Where there are WebSockets, passages with them come as often as the others. */
export function remotePassages(sockets: boolean): readonly Passage[] {
  const short = sockets ? [...PASSAGES, ...repeated(SOCKET_PASSAGES, PASSAGES.length)] : PASSAGES;
  const count = Math.round((RETENTION.length * (1 - SHARE_OF_RETENTION)) / SHARE_OF_RETENTION);
  return [...RETENTION, ...repeated(short, Math.max(count, short.length))];
}

function repeated(passages: readonly Passage[], count: number): readonly Passage[] {
  return Array.from({ length: count }, (_, n) => passages[n % passages.length] as Passage);
}

/** The steps that the parts name, one behind the other. */
function passage(...parts: readonly string[]): Passage {
  return parts.flatMap((part) => part.split(', '));
}
