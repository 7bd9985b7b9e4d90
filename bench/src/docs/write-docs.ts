import { writeFileSync } from 'node:fs';
import type { Reported } from '../report.ts';
import { newestRuns, type Run } from '../run-file.ts';
import { allRows } from './all-rows.ts';
import { barPlot, THEMES } from './bar-plot.ts';
import { COMPARED_PACKAGES, COMPARED_LIMITS, type Headline } from './headlines.ts';

const docs = new URL('../../docs/', import.meta.url);

/**
 * Writes `docs/benchmarks.md` with its plots from the newest run of each version of Node, and `docs/benchmarks-all.md` if all suites ran. The
 * plots and the second page show the oldest version.
 *
 * @throws Error if no run is stored, or if the run lacks a row of the first page.
 */
export function writeDocs(): void {
  const runs = newestRuns();
  const [plotted] = runs;
  if (plotted === undefined) throw new Error('no run is stored: run `pnpm bench` or `pnpm bench headlines` first');
  const packages = 'How many times better than the named package (CPU time, latency or memory)';
  const limit = 'Cost relative to the unavoidable part of the work (1 x is the limit)';
  for (const theme of THEMES) {
    const write = (name: string, svg: string) =>
      writeFileSync(new URL(`picture/benchmarks-${name}-${theme}.svg`, docs), svg);
    write(
      'packages',
      barPlot(
        packages,
        COMPARED_PACKAGES.map((each) => bar(each, plotted, gainOf, true)),
        true,
        theme,
      ),
    );
    write(
      'limit',
      barPlot(
        limit,
        COMPARED_LIMITS.map((each) => bar(each, plotted, costOf, false)),
        false,
        theme,
      ),
    );
  }
  writeFileSync(new URL('benchmarks.md', docs), firstPage(plotted, runs, packages, limit));
  if (plotted.isWhole) writeFileSync(new URL('benchmarks-all.md', docs), allRows(plotted));
}

function firstPage(plotted: Run, runs: readonly Run[], packages: string, limit: string): string {
  return `<!-- Made by \`pnpm bench && pnpm bench docs\`. -->
# Benchmarks

This page shows how fast and how small the library is, compared with other packages and with the least work that any program must do.
\`pnpm bench\` measured the plots and the column of Node ${plotted.node} on ${plotted.date.slice(0, 10)} (${plotted.machine}). Every figure
compares two programs in the same run, by CPU time unless stated otherwise, so other machines give similar figures. A load above the number of cores means that other programs ran at the same time.
The page [All rows](benchmarks-all.md) lists every row with its goal.

## Compared with other packages

${picture('packages', packages)}

Each bar shows how many times better our program is: 2 x means that it needs half of the time, or half of the memory.

${table(COMPARED_PACKAGES, runs, gainOf, (row) => peerOf(row))}

## Compared with the unavoidable part of the work

${picture('limit', limit)}

The limit is a program that does only the unavoidable work. 1.5 x means that our program needs one and a half times as much.
A value below 1 x means that our program needs even less, because it does the work more efficiently.

${table(COMPARED_LIMITS, runs, costOf, (row) => row.base)}

## How it is measured

- All candidates of a row run in turns in several rounds, each in its own process. A ratio is the median of the ratios of the rounds. If the figures
  of a row spread by more than 15 % in both tries, the row is marked \`~\`, because it proves little.
- Packages are measured as published, in the versions on the [second page](benchmarks-all.md). Our programs are measured from the sources of this
  repository.
- Latencies (requests one at a time, start of an agent) are wall time, so other programs on the machine raise them. The first paragraph states
  the load of the machine.
- \`pnpm bench headlines\` measures only the rows of this page, on the Node that runs it. Each measured version of Node has a column.
`;
}

function picture(name: string, title: string): string {
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="picture/benchmarks-${name}-dark.svg">
  <img alt="${title}; the table below has the values" src="picture/benchmarks-${name}-light.svg">
</picture>`;
}

type ValueOf = (row: Reported, headline: Headline) => number;

/** How many times better ours is. */
const gainOf: ValueOf = ({ value }, { isGain }) => (isGain === true ? value : 1 / value);

/** How much ours costs relative to the base. */
const costOf: ValueOf = ({ value }, { isGain }) => (isGain === true ? 1 / value : value);

function table(
  headlines: readonly Headline[],
  runs: readonly Run[],
  valueOf: ValueOf,
  comparedTo: (row: Reported) => string,
): string {
  const head = ['row', 'what it means', 'compared with', ...runs.map(({ node }) => `Node ${node}`)];
  const lines = headlines.map((headline) => {
    const rows = runs.map((run) => find(run, headline));
    const measured = rows.find((row) => row !== undefined);
    const cells = rows.map((row) =>
      row === undefined ? '' : `${row.noisy === true ? '~' : ''}${rounded(valueOf(row, headline))} x`,
    );
    return [
      `${headline.id} ${headline.label}`,
      headline.meaning,
      measured === undefined ? '' : comparedTo(measured),
      ...cells,
    ];
  });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function bar(headline: Headline, run: Run, valueOf: ValueOf, namesPeer: boolean) {
  const row = find(run, headline);
  if (row === undefined)
    throw new Error(`the run has no row ${headline.id} ${String(headline.case)}: run \`pnpm bench\` again`);
  const value = valueOf(row, headline);
  return { label: headline.label, value, text: `${rounded(value)} x${namesPeer ? `  ${peerOf(row)}` : ''}` };
}

function find(run: Run, { id, case: wanted }: Headline): Reported | undefined {
  const isWanted = (name: string) => (typeof wanted === 'string' ? name === wanted : wanted.test(name));
  return run.rows.find((row) => row.id === id && isWanted(row.case));
}

/** The package that the row is relative to, without its version. */
const peerOf = ({ base }: Reported) => base.replace(/(?<=.)@[\d.]+/, '');

const rounded = (value: number) => Number(value.toPrecision(value >= 10 ? 2 : 3));
