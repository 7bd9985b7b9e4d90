/** A recording of a million frames in the page. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { writeLongRecording } from './sample-recording.test-support.ts';

const FRAMES = 1_000_000;
// The numbers of the sample recording, in which one turn in five fails.
const FRAMES_A_TURN = 26;
const MAX_ROWS = 200;
const MAX_INDEX_BYTES = 64 * 2 ** 20;

const numberIn = (selector: string) =>
  `Number(document.querySelector('${selector}')?.innerText.split(' of ')[0].replace(/\\D/g, ''))`;
const rowCount = `document.querySelectorAll('.frame').length`;
const indexBytes = `Number(document.querySelector('.counts').dataset.indexBytes)`;

test.skipIf(isSkipped)(
  'a file of a million frames is listed, scrolled and filtered with at most 200 rows and an index of 64 MB',
  { timeout: 300_000 },
  async () => {
    using folder = createFolder();
    const file = join(folder.path, 'long.jsonl');
    const frames = writeLongRecording(file, FRAMES);
    await using command = await inspect([file], folder.path);
    await using page = await InspectorPage.open(command.link);
    // The page shows the beginning while it still reads the rest.
    await page.sees('.frame', 'Step 1: mend the parser');
    await page.until(`${numberIn('#filter-state')} === ${frames}`, 240_000);
    expect(await page.page.evaluate(indexBytes)).toBeLessThanOrEqual(MAX_INDEX_BYTES);
    expect(await page.page.evaluate(rowCount)).toBeLessThanOrEqual(MAX_ROWS);

    await page.page.evaluate(`document.querySelector('#frames').focus()`);
    await page.key('End');
    await page.until(`${numberIn('.details-header .number')} === ${frames}`);
    await page.sees('.details-header h2', 'result/');
    for (const share of [0.5, 0.123, 0.9]) {
      await page.page.evaluate(
        `(() => { const list = document.querySelector('#frames'); list.scrollTop = ${share} * (list.scrollHeight - list.clientHeight); })()`,
      );
      const wanted = Math.floor(share * frames);
      await page.until(`Math.abs(${numberIn('.frame .number')} - ${wanted}) < 200`);
      expect(await page.page.evaluate(rowCount)).toBeLessThanOrEqual(MAX_ROWS);
    }

    await page.fill('#filter', 'type:result status:error');
    const failed = frames / FRAMES_A_TURN / 5;
    await page.until(
      `!document.querySelector('#filter-state').innerText.includes('…') && Math.abs(${numberIn('#filter-state')} - ${failed}) < ${failed} / 10`,
      120_000,
    );
    expect(await page.page.evaluate(indexBytes)).toBeLessThanOrEqual(MAX_INDEX_BYTES);
    expect(await page.page.evaluate(rowCount)).toBeLessThanOrEqual(MAX_ROWS);
  },
);
