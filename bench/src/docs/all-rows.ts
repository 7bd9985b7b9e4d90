import type { Reported } from '../report.ts';
import type { Run } from '../run-file.ts';

const NAMES: Readonly<Record<string, string>> = {
  F1: 'Framing and parsing, relative to only decoding and parsing lines that are already split',
  F2: 'Framing and parsing, relative to the fastest package',
  F3: 'One very long line',
  F4: 'Text with characters outside ASCII',
  F5: 'A stream of 1 GB',
  F6: 'Framing and parsing of each kind of message, in each program',
  F7: 'Framing and parsing at the sizes at which the framer changes its method',
  S1: 'Encoding a line, relative to `JSON.stringify`',
  V1: 'Checking a message, relative to `JSON.parse`',
  V2: 'The first checks of a process',
  Q1: 'Queues',
  M1: '100 000 queued messages',
  M2: 'Idle sessions and event streams',
  W1: 'Writing to stdout',
  W2: 'Messages from an agent process to a callback in the host',
  W3: 'Messages from a server to its client over a WebSocket',
  W4: 'A slow reader',
  R1: 'Requests in memory',
  R2: 'Requests to a child process',
  R3: 'Requests over a WebSocket',
  R4: 'Requests by POST, answers over an event stream',
  R5: "The host's CPU time for each message",
  R6: 'Large messages: the CPU time of both ends, relative to encoding and parsing the messages',
  C1: 'Loading the entries',
  C2: 'Time from the start of a process to its first answer',
  I1: 'CPU time that a session server needs for POST requests',
  I2: 'Reading from the stores of a session server',
  I3: 'How long a store with 100 000 streams blocks the event loop, in milliseconds',
  I4: 'Time from the append of an event until a viewer has the event',
  I5: 'Three nodes on one PostgreSQL: durable events per second',
  I6: 'Three nodes on one PostgreSQL: time from a POST at one node until a viewer at another node has the event',
  U1: 'Showing a session: the cost of each increment, and of opening a long conversation',
  N1: 'The page of `sjp inspect` with a recording of a million frames',
  B1: 'Bundle sizes',
  X1: 'Unusual input, relative to usual input or to `readline`',
};

/** Returns the page of all rows of a run. */
export function allRows({ date, node, machine, rows }: Run): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const sections = ids.map((id) => {
    const own = rows.filter((row) => row.id === id);
    return [`## ${id}: ${NAMES[id] ?? id}`, '', HEAD, ...own.map(line), ''].join('\n');
  });
  return `<!-- Made by \`pnpm bench && pnpm bench docs\`. -->
# All rows of the benchmarks

The [first page](benchmarks.md) shows the most important rows.

\`pnpm bench\` measured these figures on ${date.slice(0, 10)}: Node ${node}, ${machine}. Compare the ratios (the column *value*), because
absolute figures depend on the machine. A run measures all candidates of a case in several rounds, and each ratio is the median of the ratios of all
rounds. Ratios compare CPU times, except in rows that are measured by wall time, such as latencies.

- *limit* is the figure of a program that does only the unavoidable part of the work. LIMIT1 parses lines that are already decoded and split.
  LIMIT2 decodes and parses lines that are already split.
- *of* names the candidate with which *value* is compared, and *goal* is the required value.
- The last column says *miss* if the value misses its goal by more than the tolerance of the row. It says *noisy* if the figures spread by more
  than 15 % in both tries, so that the row proves nothing.
- The case \`1KB/64KB\` has lines of 1 KB that arrive in chunks of 64 KB. In \`1KB/line\`, each chunk is one line.
- *raw* is a program that only moves and counts the same bytes. *naive* and *plain* are the code that most programs write first: a split loop, or one
  write or frame for each message. *echo* is a Node process that answers one line and loads no module.
- *full check* means that each request and each answer is checked completely. *coalesced* means that one WebSocket frame contains a batch of messages,
  and *sjp.v1* means that messages are numbered and acknowledged.
- If the load of the machine exceeds the number of its cores, other programs ran at the same time. Wall times (W2, W3, R1, R2, R3, R4, C2)
  are then too high.

${sections.join('\n')}`;
}

const HEAD = '| case | limit | best peer | ours | value | of | goal | |\n|---|---|---|---|---|---|---|---|';
const OUTCOMES = { ok: 'met', warn: 'miss', fail: 'miss', noisy: 'noisy', info: '' } as const;

function line({ case: name, figures = {}, value, goal, atMost, base, metric, outcome }: Reported): string {
  const unit = ['us', 'ms', 'MB', 'bytes', 'per second'].includes(metric) ? ` ${metric}` : '';
  const toPeer = figures.toPeer === undefined ? '' : ` (ours ${Number(figures.toPeer.toPrecision(3))} x)`;
  const cells = [
    name,
    figures.limit ?? '',
    `${figures.peer ?? ''}${toPeer}`,
    figures.ours ?? '',
    `${value}${unit}`,
    base,
    goal === undefined ? '' : `${atMost === true ? '<=' : '>='} ${goal}`,
    OUTCOMES[outcome],
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
