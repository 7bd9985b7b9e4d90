/** The page in narrow windows: each button can be seen whole, and pressed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { AGENT, createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { sampleRecording } from './sample-recording.test-support.ts';

/**
 * Lists the buttons of the page that are not usable. Each one is scrolled into view, and then must be inside the window, be above all else at its
 * middle and near its edges, and overlap no other button.
 */
const UNUSABLE = `(() => {
  const wrong = [];
  const buttons = [...document.querySelectorAll('button')].filter((button) => button.checkVisibility());
  for (const button of buttons) {
    button.scrollIntoView({ block: 'center' });
    const name = button.innerText.trim() || button.ariaLabel;
    const { left, right, top, bottom } = button.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong.push(name + ' leaves the window');
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    for (const [atX, atY] of [[x, y], [left + 2, y], [right - 2, y], [x, top + 2], [x, bottom - 2]]) {
      const found = document.elementFromPoint(atX, atY);
      if (!button.contains(found)) wrong.push(name + ' is covered by ' + (found?.outerHTML.slice(0, 80) ?? 'nothing'));
    }
    for (const other of buttons) {
      const box = other.getBoundingClientRect();
      const isApart = box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top;
      if (other !== button && !isApart && other.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)))
        wrong.push(name + ' overlaps ' + other.innerText);
    }
  }
  for (const box of document.querySelectorAll('*')) if (box.scrollTop > 0) box.scrollTop = 0;
  return wrong;
})()`;

/** Whether the whole of an element is in the window and not cut off, without scrolling. */
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
