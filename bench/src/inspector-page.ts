import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, inspect, InspectorPage } from '../../tests/inspector/inspector-page.test-support.ts';
import { writeLongRecording } from '../../tests/inspector/sample-recording.test-support.ts';
import { chromium } from '../../tests/runtimes/chromium.ts';
import { type Figures, report } from './report.ts';

const FRAMES = 1_000_000;
const PATIENCE_MS = 300_000;
// A page asks for the recording in parts of this size, too.
const RANGE_BYTES = 4 * 2 ** 20;

/** N1: a recording of a million frames in the page of `sjp inspect`. Build the page first. Runs only on Linux, with Chromium. */
export async function inspectorPage(): Promise<void> {
  if (chromium === undefined) return console.log('N1 is left out: Chromium is not installed');
  using folder = createFolder();
  const file = join(folder.path, 'long.jsonl');
  const frames = writeLongRecording(file, FRAMES);
  await using command = await inspect([file], folder.path);
  const before = renderers();
  await using page = await InspectorPage.open('about:blank');
  const start = performance.now();
  await page.goto(command.link);
  await page.until(
    `document.querySelector('#filter-state')?.innerText.replace(/\\D/g, '') === '${frames}'`,
    PATIENCE_MS,
  );
  const readMs = performance.now() - start;
  const paintMs = Number(
    await page.page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`),
  );
  const rendererBytes = residentBytes(before);
  const indexBytes = Number(await page.page.evaluate(`Number(document.querySelector('.counts').dataset.indexBytes)`));
  const frameMs = Number(await page.page.evaluate(SCROLLS));
  const limitMs = Number(await page.page.evaluate(parsesOnly()));
  const perSecond = (ms: number) => `${Math.round(frames / ms).toLocaleString('en')} k frames/s`;
  row('read', 'ratio', readMs / limitMs, { goal: 3, figures: { limit: perSecond(limitMs), ours: perSecond(readMs) } });
  row('first paint', 'ms', paintMs, { goal: 150 });
  row('index', 'bytes', indexBytes, { goal: 64 * 2 ** 20, hard: true });
  row('memory of the renderer', 'MB', rendererBytes / 1e6, { goal: 200 });
  row('a frame while scrolling', 'ms', frameMs, { goal: 1000 / 55 });
}

interface Limits {
  readonly goal: number;
  readonly hard?: boolean;
  readonly figures?: Figures;
}

function row(name: string, metric: 'ratio' | 'ms' | 'bytes' | 'MB', value: number, limits: Limits): void {
  report({
    id: 'N1',
    case: `${FRAMES / 1e6} M frames, ${name}`,
    metric,
    value,
    atMost: true,
    base: 'parsing alone',
    ...limits,
  });
}

/** The unavoidable work: fetches the recording as the page does, and parses each entry and each line. Returns the milliseconds. */
function parsesOnly(): string {
  return `(async () => {
    const start = performance.now();
    const decoder = new TextDecoder();
    let rest = '';
    for (let from = 0; ; from += ${RANGE_BYTES}) {
      const response = await fetch('/ui/sessions/file/recording', { headers: { range: 'bytes=' + from + '-' + (from + ${RANGE_BYTES} - 1) } });
      if (response.status !== 206) return performance.now() - start;
      const lines = (rest + decoder.decode(await response.arrayBuffer(), { stream: true })).split('\\n');
      rest = lines.pop();
      for (const line of lines) JSON.parse(JSON.parse(line).line ?? '0');
    }
  })()`;
}

/** Scrolls by a row and by a page at a time, for 200 frames. Returns the milliseconds for a frame, without the slowest tenth of the frames. */
const SCROLLS = `(async () => {
  const list = document.querySelector('#frames');
  const took = [];
  for (let at = 0, last = performance.now(); at < 200; at++) {
    list.scrollTop += at % 2 === 0 ? 24 : 700;
    await new Promise(requestAnimationFrame);
    took.push(performance.now() - last);
    last = performance.now();
  }
  return took.sort((one, other) => one - other)[180];
})()`;

/** The processes that draw pages, by their ids. */
function renderers(): ReadonlySet<string> {
  const ids = readdirSync('/proc').filter((id) => /^\d+$/.test(id));
  return new Set(ids.filter((id) => textOf(`/proc/${id}/cmdline`).includes('--type=renderer')));
}

/** The memory of the page: the largest new process that draws a page. */
function residentBytes(before: ReadonlySet<string>): number {
  const own = [...renderers()].filter((id) => !before.has(id));
  const kilobytes = own.map((id) => Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? 0));
  return Math.max(0, ...kilobytes) * 1024;
}

/** A process may have ended in the meantime. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
