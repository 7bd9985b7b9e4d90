/** One bar of a plot. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The text at the end of the bar. */
  readonly text: string;
}

const PALETTES = {
  light: { text: '#1f2328', faint: '#59636e', grid: '#d1d9e0', better: '#0969da', worse: '#bc4c00' },
  dark: { text: '#f0f6fc', faint: '#9198a1', grid: '#3d444d', better: '#4493f8', worse: '#db6d28' },
} as const;

/** The themes of a plot. */
export const THEMES = ['light', 'dark'] as const;

const WIDTH = 760;
const LEFT = 270;
const RIGHT = 150;
const ROW = 28;
const TOP = 34;

/**
 * Draws bars from the line at 1, on a logarithmic axis, as SVG. A bar to the right of the line is drawn as better if `isMoreBetter` is true, and as
 * worse otherwise.
 */
export function barPlot(
  title: string,
  bars: readonly Bar[],
  isMoreBetter: boolean,
  theme: (typeof THEMES)[number],
): string {
  const { text, faint, grid, better, worse } = PALETTES[theme];
  const values = bars.map(({ value }) => value);
  const ticks = ticksAround(Math.min(1, ...values), Math.max(1, ...values));
  const [first, last] = [ticks[0] as number, ticks.at(-1) as number];
  const x = (value: number) =>
    Math.round(LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(value / first)) / Math.log(last / first));
  const height = TOP + bars.length * ROW + 30;
  const base = TOP + bars.length * ROW;
  const lines = ticks.flatMap((tick) => [
    `<line x1="${x(tick)}" x2="${x(tick)}" y1="${TOP - 6}" y2="${base}" stroke="${tick === 1 ? faint : grid}"/>`,
    `<text x="${x(tick)}" y="${base + 16}" text-anchor="middle" fill="${faint}">${tick} x</text>`,
  ]);
  const drawn = bars.flatMap(({ label, value, text: end }, at) => {
    const y = TOP + at * ROW;
    const [from, to] = [Math.min(x(1), x(value)), Math.max(x(1), x(value))];
    const fill = value >= 1 === isMoreBetter ? better : worse;
    return [
      `<text x="${LEFT - 12}" y="${y + 15}" text-anchor="end" fill="${text}">${escaped(label)}</text>`,
      `<rect x="${from}" y="${y + 2}" width="${Math.max(2, to - from)}" height="18" rx="2" fill="${fill}"/>`,
      `<text x="${to + 6}" y="${y + 15}" fill="${text}">${escaped(end)}</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(title)}</title>
<text x="12" y="16" fill="${faint}">${escaped(title)}</text>
${[...lines, ...drawn].join('\n')}
</svg>
`;
}

/** The round values from the largest below `least` to the smallest above `most`. */
function ticksAround(least: number, most: number): number[] {
  const all = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
  const from = all.findLastIndex((tick) => tick <= least);
  const to = all.findIndex((tick) => tick >= most);
  return all.slice(Math.max(0, from), to === -1 ? all.length : to + 1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
