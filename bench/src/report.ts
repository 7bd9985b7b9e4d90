/** What a row says in its own units, as text. */
export interface Figures {
  readonly limit?: string;
  readonly ours?: string;
  /** The best peer, by name. */
  readonly peer?: string;
  /** Ours to that peer, in the direction where more is better. */
  readonly toPeer?: number;
}

/** One row of a suite, against its goal. */
export interface Row {
  readonly id: string;
  readonly case: string;
  readonly metric: 'ratio' | 'exponent' | 'ms' | 'MB' | 'bytes' | 'modules';
  readonly value: number;
  /** Absent where a value is for information. */
  readonly goal?: number;
  /** Allowed shortfall, relative to the goal. */
  readonly tol?: number;
  /** What the value is relative to. */
  readonly base: string;
  readonly peer?: string;
  /** Less is better. */
  readonly atMost?: boolean;
  /** Steady enough on a busy machine that a miss fails the run. */
  readonly hard?: boolean;
  /** The spread was too large twice: never a failure. */
  readonly noisy?: boolean;
  readonly figures?: Figures;
  /** Further columns of the table. */
  readonly note?: string;
}

/** A row as a run keeps it. */
export interface Reported extends Omit<Row, 'note'> {
  readonly ok: boolean;
  readonly outcome: Outcome;
}

type Outcome = 'ok' | 'warn' | 'noisy' | 'fail' | 'info';

function judge(row: Row): Outcome {
  if (row.goal === undefined) return 'info';
  const tolerance = row.goal * (row.tol ?? 0);
  const met = row.atMost === true ? row.value <= row.goal + tolerance : row.value >= row.goal - tolerance;
  if (met) return 'ok';
  if (row.noisy === true) return 'noisy';
  return row.hard === true ? 'fail' : 'warn';
}

/** Prints a row as a line of the table and as a line of JSON; a failure makes the process exit with 1. */
export function report(row: Row): void {
  const outcome = judge(row);
  if (outcome === 'fail') process.exitCode = 1;
  const value = row.metric === 'bytes' ? row.value : Number(row.value.toPrecision(3));
  const goal = row.goal === undefined ? '' : `${row.atMost === true ? '<=' : '>='} ${row.goal}`;
  const name = `${row.id} ${row.case}`;
  const columns = [name.padEnd(30), String(value).padStart(7), goal.padStart(8), outcome.padEnd(6), row.note ?? ''];
  console.log(columns.join('  ').trimEnd());
  const { note: _, ...said } = row;
  const ok = outcome === 'ok' || outcome === 'info';
  console.log(JSON.stringify({ ...said, value, ok, outcome } satisfies Reported));
}
