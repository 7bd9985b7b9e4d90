/** What the page shows at first, and how the filter is used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { sampleRecording } from './sample-recording.test-support.ts';

describe.skipIf(isSkipped)('the list and the filter', { timeout: 120_000 }, () => {
  let page: InspectorPage;
  beforeAll(async () => {
    page = await InspectorPage.open('about:blank');
  }, 120_000);
  afterAll(() => page[Symbol.asyncDispose]());

  async function showing(run: (folder: ReturnType<typeof createFolder>) => Promise<void>): Promise<void> {
    using folder = createFolder();
    await using command = await inspect([folder.write('fix.jsonl', sampleRecording(4))], folder.path);
    await page.goto(command.link);
    await page.sees('.frame');
    await run(folder);
  }
  const texts = (selector: string) =>
    page.page.evaluate(`[...document.querySelectorAll('${selector}')].map((found) => found.innerText)`);

  test('the first frame is shown in the details when a file is opened', () =>
    showing(async (folder) => {
      await page.sees('.details-header .number', '#1');
      await page.sees('.details-header h2', 'user');
      expect(await texts('[aria-selected=true].frame .number')).toEqual(['1']);
      await page.click('.frame', 'system');
      await page.chooseFile(folder.write('other.jsonl', sampleRecording(1)));
      await page.sees('h1', 'other.jsonl');
      await page.sees('.details-header h2', 'user');
    }));

  test('a chip hides stream_event frames, also together with another chip, and shows them again', () =>
    showing(async () => {
      await page.sees('.frame', 'stream_event');
      const all = await page.text('#filter-state');
      await page.click('.shortcuts button', 'Hide stream_event');
      await page.sees('#filter-state', 'of');
      await page.until(`(() => {
        const rows = [...document.querySelectorAll('.frame .name')];
        return rows.length > 0 && rows.every((row) => row.innerText !== 'stream_event');
      })()`);
      await page.click('.shortcuts button', 'Requests');
      await page.until(`document.querySelector('#filter').value === 'type:control_* -type:stream_event'`);
      expect(await texts('.shortcuts [aria-pressed=true]')).toEqual(['Requests', 'Hide stream_event']);
      await page.click('.shortcuts button', 'Requests');
      await page.click('.shortcuts button', 'Hide stream_event');
      await page.until(`document.querySelector('#filter-state').innerText === ${JSON.stringify(all)}`);
      await page.sees('.frame', 'stream_event');
    }));

  test('an error in the filter does not move the list', () =>
    showing(async () => {
      await page.page.send('Emulation.setDeviceMetricsOverride', {
        width: 420,
        height: 760,
        deviceScaleFactor: 1,
        mobile: false,
      });
      const place = () => page.page.evaluate(`document.querySelector('#frames').getBoundingClientRect().top`);
      const before = await place();
      await page.fill('#filter', 'kind:result');
      await page.sees('#filter-state', 'unknown key kind');
      expect(await place()).toBe(before);
    }));
});
