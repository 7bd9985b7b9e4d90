/** The page in narrow windows: each button can be seen whole, and pressed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { AGENT, createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { sampleRecording } from './sample-recording.test-support.ts';
import { UNUSABLE } from './usable-buttons.test-support.ts';

/** True if the whole element is inside the window without scrolling, and is not cut off. */
const isWhole = (selector: string) => `(() => {
  const found = document.querySelector(${JSON.stringify(selector)});
  const { left, right, top, bottom } = found.getBoundingClientRect();
  const points = [[left + 2, (top + bottom) / 2], [right - 2, (top + bottom) / 2], [(left + right) / 2, top + 2], [(left + right) / 2, bottom - 2]];
  return right - left > 20 && points.every(([x, y]) => found.contains(document.elementFromPoint(x, y)));
})()`;

const AGENT_FLAGS = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

describe.skipIf(isSkipped).each([420, 360])('a window of %i px', { timeout: 120_000 }, (width) => {
  let page: InspectorPage;
  beforeAll(async () => {
    page = await InspectorPage.open('about:blank');
    await page.page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 760,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }, 120_000);
  afterAll(() => page[Symbol.asyncDispose]());

  test('a recording with details', async () => {
    using folder = createFolder();
    await using command = await inspect([folder.write('fix.jsonl', sampleRecording(4))], folder.path);
    await page.goto(command.link);
    await page.click('.frame', 'system');
    await page.sees('.details-header h2', 'system');
    expect(await page.page.evaluate(UNUSABLE)).toEqual([]);
    expect(await page.page.evaluate(isWhole('.top h1'))).toBe(true);
  });

  test('a live session whose agent asks', async () => {
    using folder = createFolder();
    const flags = [...AGENT_FLAGS, '--permission-prompt-tool', 'stdio'];
    await using command = await inspect(['--', process.execPath, AGENT, ...flags], folder.path);
    const say = (message: object) => command.child.stdin?.write(`${JSON.stringify(message)}\n`);
    say({ type: 'control_request', request_id: 'initialize-1', request: { subtype: 'initialize' } });
    say({ type: 'user', message: { role: 'user', content: '/bash npm test' } });
    await page.goto(command.link);
    await page.sees('.waiting .card', 'Bash');
    await page.click('[data-hold=from-host]');
    await page.sees('[data-hold=from-host]', 'Release');
    for (const selector of ['.waiting .primary', '.waiting .danger', '.top h1'])
      expect(await page.page.evaluate(isWhole(selector)), selector).toBe(true);
    expect(await page.page.evaluate(UNUSABLE)).toEqual([]);
  });
});
