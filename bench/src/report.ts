/** The figures of a row in their own units, as text. */
export interface Figures {
  readonly limit?: string;
  readonly ours?: string;
  /** The best peer, by name. */
  readonly peer?: string;
  /** Our figure relative to the best peer; more is better. */
  readonly toPeer?: number;
}

/** One row of a suite, against its goal. */
export interface Row {
  readonly id: string;
  readonly case: string;
  readonly metric: 'ratio' | 'exponent' | 'us' | 'ms' | 'MB' | 'bytes' | 'modules' | 'per second';
  readonly value: number;
  /** Absent if the row has no goal. */
  readonly goal?: number;
  /** By how much the value may miss the goal, as a share of the goal. */
  readonly tol?: number;
  /** The candidate that the value is relative to. */
  readonly base: string;
  readonly peer?: string;
  /** True if less is better. */
  readonly atMost?: boolean;
  /** True if the row is steady enough on a busy machine that a missed goal fails the run. */
  readonly hard?: boolean;
  /** True if the spread was too large in two tries. Such a row never fails the run. */
  readonly noisy?: boolean;
  readonly figures?: Figures;
  /** Further columns of the table. */
  readonly note?: string;
}

/** A row with its outcome, as stored in a run. */
export interface Reported extends Omit<Row, 'note'> {
  readonly ok: boolean;
  readonly outcome: Outcome;
}

type Outcome = 'ok' | 'warn' | 'noisy' | 'fail' | 'info';

function outcomeOf(row: Row): Outcome {
  if (row.goal === undefined) return 'info';
  const tolerance = row.goal * (row.tol ?? 0);
  const met = row.atMost === true ? row.value <= row.goal + tolerance : row.value >= row.goal - tolerance;
  if (met) return 'ok';
  if (row.noisy === true) return 'noisy';
  return row.hard === true ? 'fail' : 'warn';
}

/** Prints a row as a line of the table and as a line of JSON; a failure makes the process exit with 1. */
export function report(row: Row): void {
  const outcome = outcomeOf(row);
  if (outcome === 'fail') process.exitCode = 1;
  const value = row.metric === 'bytes' ? Math.round(row.value) : Number(row.value.toPrecision(3));
  const goal = row.goal === undefined ? '' : `${row.atMost === true ? '<=' : '>='} ${row.goal}`;
  const name = `${row.id} ${row.case}`;
  const columns = [name.padEnd(30), String(value).padStart(7), goal.padStart(8), outcome.padEnd(6), row.note ?? ''];
  console.log(columns.join('  ').trimEnd());
  const { note: _, ...said } = row;
  const ok = outcome === 'ok' || outcome === 'info';
  console.log(JSON.stringify({ ...said, value, ok, outcome } satisfies Reported));
}
