import type { LegReport } from './tally.ts';

const COLUMNS: readonly (readonly [title: string, cell: (report: LegReport) => string])[] = [
  ['transport', ({ transport }) => transport],
  ['messages', ({ seen }) => String(seen.length)],
  ['cuts', ({ cuts }) => String(cuts)],
  ['reconnects', ({ reconnects }) => String(reconnects)],
  ['lost', ({ lost }) => String(lost.length)],
  ['duplicated', ({ doubled }) => String(doubled.length)],
  ['out of order', ({ outOfOrder }) => String(outOfOrder.length)],
  ['median latency', ({ medianMs }) => `${medianMs.toFixed(1)} ms`],
];

/** Writes reports as a table. Numbers are aligned to the right. */
export function tableOf(reports: readonly LegReport[]): string {
  const rows = [COLUMNS.map(([title]) => title), ...reports.map((report) => COLUMNS.map(([, cell]) => cell(report)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => `${row.map(pad).join('  ')}\n`).join('');
}

/** Whether every message arrived exactly once and in order. */
export function isWhole({ lost, doubled, outOfOrder }: LegReport): boolean {
  return lost.length + doubled.length + outOfOrder.length === 0;
}

/** Summarises the reports in one line: "4 transports, 3 cuts: 0 lost, 0 duplicated, 0 out of order". */
export function verdictOf(reports: readonly LegReport[]): string {
  const sum = (count: (report: LegReport) => number) => reports.reduce((total, report) => total + count(report), 0);
  const cuts = sum((report) => report.cuts);
  const lost = sum((report) => report.lost.length);
  const doubled = sum((report) => report.doubled.length);
  const moved = sum((report) => report.outOfOrder.length);
  return `${reports.length} transports, ${cuts} cuts: ${lost} lost, ${doubled} duplicated, ${moved} out of order`;
}
