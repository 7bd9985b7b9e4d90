import { writeFileSync } from 'node:fs';
import type { Reported } from '../report.ts';
import { newestRuns, type Run } from '../run-file.ts';
import { allRows } from './all-rows.ts';
import { barPlot, THEMES } from './bar-plot.ts';
import { BESIDE_PACKAGES, BESIDE_THE_LIMIT, type Headline } from './headlines.ts';

const docs = new URL('../../docs/', import.meta.url);

/**
 * Writes `docs/benchmarks.md` with its plots from the newest run of each version of Node, and `docs/benchmarks-all.md` if all suites ran. The
 * plots and the second page show the oldest version.
 *
 * @throws Error if there is no run, or if it misses a row of the first page.
 */
export function writeDocs(): void {
  const runs = newestRuns();
  const [plotted] = runs;
  if (plotted === undefined)
    throw new Error('there is no stored run: run `pnpm bench` or `pnpm bench headlines` first');
  const packages = 'How many times better than the package beside it (CPU time, latency or memory)';
  const limit = 'Cost relative to the unavoidable part of the work (1 x is the limit)';
  for (const theme of THEMES) {
    const write = (name: string, svg: string) =>
      writeFileSync(new URL(`picture/benchmarks-${name}-${theme}.svg`, docs), svg);
    write(
      'packages',
      barPlot(
        packages,
        BESIDE_PACKAGES.map((each) => bar(each, plotted, gainOf, true)),
        true,
        theme,
      ),
    );
    write(
      'limit',
      barPlot(
        limit,
        BESIDE_THE_LIMIT.map((each) => bar(each, plotted, costOf, false)),
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

How fast and how small this is, beside other packages and beside the least that any program must do. \`pnpm bench\` measured the plots and the
column of Node ${plotted.node} on ${plotted.date.slice(0, 10)} (${plotted.machine}). Every figure is a ratio inside one run, of CPU time where nothing
else is said, so another machine gives about the same. A load above the number of cores means that other programs ran beside it.
[All rows](benchmarks-all.md) have their goals beside them, and were measured on the day that stands there.

## Beside other packages

${picture('packages', packages)}

The bar says how many times better ours is: 2 x is half of the time, or half of the memory.

${table(BESIDE_PACKAGES, runs, gainOf, (row) => peerOf(row))}

## Beside the unavoidable part of the work

${picture('limit', limit)}

The limit is a program that does only what nobody can leave out. 1.5 x means that ours takes half as much again; below 1 x, ours does it in a
better way than the limit's program.

${table(BESIDE_THE_LIMIT, runs, costOf, (row) => row.base)}

## How it is measured

- All candidates of a row run in turns in one process each, in several rounds, and a ratio is the median of the ratios of the rounds. A row whose
  figures spread by more than 15 % in two tries is marked \`~\`: it proves little.
- Packages are measured as published, in the versions that the [second page](benchmarks-all.md) names; ours from the sources of this repository.
- Latencies (requests one at a time, start of an agent) are wall time, so other programs on the machine raise them. Its load stands above.
- \`pnpm bench headlines\` measures the rows of this page alone, on the Node that runs it; each version of Node that was measured has a column.
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
  besideOf: (row: Reported) => string,
): string {
  const head = ['row', 'what it means', 'beside', ...runs.map(({ node }) => `Node ${node}`)];
  const lines = headlines.map((headline) => {
    const rows = runs.map((run) => find(run, headline));
    const beside = rows.find((row) => row !== undefined);
    const cells = rows.map((row) =>
      row === undefined ? '' : `${row.noisy === true ? '~' : ''}${rounded(valueOf(row, headline))} x`,
    );
    return [
      `${headline.id} ${headline.label}`,
      headline.meaning,
      beside === undefined ? '' : besideOf(beside),
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
