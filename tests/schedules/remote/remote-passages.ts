type Passage = readonly string[];

const READERS = ['ann', 'ben', 'eve', 'the worker'];
/** The server restarts and loses its memory: killed, or shut down gracefully after storing a checkpoint of the log. */
const RESTARTS = [
  'the server is killed',
  'the server is drained, a second',
  'the worker says very much, a second, the server is killed',
];
const TWICE_MUCH = 'the worker says very much, a second, the worker says very much, a second';

/** Sequences of steps that fail with a server that forgets something, or that trusts a client for too long. */
const PASSAGES: readonly Passage[] = [
  ...RESTARTS.flatMap((restart) => [
    // An answer, a restart, the same answer again, and another answer.
    passage('the worker asks, a second, eve answers, a second', restart, 'eve repeats, eve answers again'),
    passage('the worker asks, a second', restart, 'eve answers, a second, ann answers'),
    // An agent that has not read an answer yet lists the request as open.
    passage(
      'the worker asks, a second, eve joins, a second, eve answers, a second',
      restart,
      'the worker answers, a second, eve answers again, ann answers',
    ),
    // A client that joins gets the requests that are open now, and the agent's last answer.
    passage(
      'eve joins, a second, the worker answers, the worker asks, the worker asks, a second, eve answers, a second',
      restart,
      'max joins, max answers',
    ),
    // A worker that is done stays done, and the next worker receives the unprocessed events.
    passage(
      'another worker comes, ann says one, a second, the worker is done, ann says one, a second',
      restart,
      'the worker starts again',
    ),
  ]),
  passage('eve joins, a second, the worker answers, eve joins, a second, the worker answers, a second, max joins'),
  passage('max joins, eve joins, a second, another worker comes, a second, the worker answers, another worker comes'),
  passage('another worker comes, ann says one, a second, the worker is done, a second, the worker starts again'),
  // A superseded worker reports its processed events.
  passage(
    'ann says one, a second, another worker comes, a second, another worker comes, a second',
    'the worker before is done, a second, the worker starts again',
  ),
  passage('another worker comes, a second, another worker comes, a second, ann says one, the worker before says one'),
  // A partial message is lost together with the answer to its POST, and the messages of the same POST are not.
  ...['answer lost', 'refused'].map((fate) =>
    passage(`a second, the worker: ${fate}, the worker streams, a second, the worker streams`),
  ),
  // A reader leaves before it has read everything.
  passage('ann is busy, the worker says three, a second, ann starts again, the worker says one'),
  passage('ann is busy, the worker says three, a second, ann: rst after 0, ann is free, the worker says one'),
  // A client loses a right while a request of that client is in progress.
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

/** Retention drops events before a slow, disconnected or absent reader has read them, and old messages. */
const RETENTION: readonly Passage[] = [
  ...READERS.flatMap((who) => [
    passage(`${who}: does not read`, TWICE_MUCH, `${who}: reads`),
    passage(`${who}: stall after 300`, TWICE_MUCH),
  ]),
  passage('the worker asks, a second, eve answers, a second', TWICE_MUCH, 'eve repeats, eve answers again'),
  passage(
    'ann says one, the worker asks, a second',
    TWICE_MUCH,
    'the server is killed, eve answers, the worker starts again',
  ),
];

const SOCKET_PASSAGES: readonly Passage[] = [
  // The confirmation of a superseded worker arrives: a later worker still has to get the events that no worker with a lease had.
  passage(
    'a published worker comes, a second, the worker: does not read, ann says one, a second, a second',
    'another worker comes, a second, the worker before: reads, a second, another worker comes',
  ),
  // The confirmation of one worker does not count for the next worker, which reads from the beginning.
  passage(
    'a published worker comes, a second, eve joins, ann says one, a second, a second',
    'a published worker goes on, a second, ann says one, a second',
  ),
  passage(
    'a published worker comes, a second, ann says one, a second, a second, another worker comes, a second',
    'eve says one, a second, the worker is done, a second, a published worker goes on',
  ),
  // A link breaks before or after its confirmation.
  passage(
    'a published worker comes, a second, ann says one, the worker says one, a moment, the worker: rst after 0',
    'a second, another worker comes',
  ),
  passage(
    'another worker comes by socket, a second, ann says one, a bit of time, the worker: rst after 0',
    'the server is killed, a second, another worker comes',
  ),
  passage(
    'another worker comes by socket, a second, the worker says one, another worker comes',
    'the worker before says one, a second, the worker before says one',
  ),
  // The lines of a WebSocket are not stored, or not acknowledged.
  passage('the disk hangs, ben says three, a second, ben says one, a second, a second, ben says one'),
  passage('the disk hangs, ben: rst after 0, ben says three, a second, ben says one, a second, the server is killed'),
  passage('ben says three, a write fails, ben says one, a second, ben says one, the server is killed'),
  passage('ben says one, a second, a write fails, ben says one, a second, ben says one, a second, ben says one'),
  passage('ben says one, a second, ben says one, ben: rst after 0, ben says one, a second, ben says one'),
  passage('ben has another token, a second, ben says one, ben moves, ben has another token, ben says one'),
];

/** The share of passages about a log that is too long: those take ten times as long as others. */
const SHARE_OF_RETENTION = 1 / 4;

/** With WebSockets, passages that use them are as frequent as the others. */
export function remotePassages(sockets: boolean): readonly Passage[] {
  const short = sockets ? [...PASSAGES, ...repeated(SOCKET_PASSAGES, PASSAGES.length)] : PASSAGES;
  const count = Math.round((RETENTION.length * (1 - SHARE_OF_RETENTION)) / SHARE_OF_RETENTION);
  return [...RETENTION, ...repeated(short, Math.max(count, short.length))];
}

function repeated(passages: readonly Passage[], count: number): readonly Passage[] {
  return Array.from({ length: count }, (_, n) => passages[n % passages.length] as Passage);
}

/** Returns the steps that the parts name, one after the other. */
function passage(...parts: readonly string[]): Passage {
  return parts.flatMap((part) => part.split(', '));
}
