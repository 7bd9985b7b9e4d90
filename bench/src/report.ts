/** One row of a suite, against its goal. */
export interface Row {
  readonly id: string;
  readonly case: string;
  readonly metric: 'ratio' | 'exponent' | 'ms';
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
  /** Further columns of the table. */
  readonly note?: string;
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
  const value = Number(row.value.toPrecision(3));
  const goal = row.goal === undefined ? '' : `${row.atMost === true ? '<=' : '>='} ${row.goal}`;
  const name = `${row.id} ${row.case}`;
  const columns = [name.padEnd(30), String(value).padStart(7), goal.padStart(8), outcome.padEnd(6), row.note ?? ''];
  console.log(columns.join('  ').trimEnd());
  const { id, metric, goal: limit, tol, base, peer, noisy } = row;
  const ok = outcome === 'ok' || outcome === 'info';
  console.log(JSON.stringify({ id, case: row.case, metric, value, goal: limit, tol, base, peer, noisy, ok }));
}
