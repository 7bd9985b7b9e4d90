import { readEntries, Timeline } from '@proto/recording/timeline';
import { expect, test } from 'vitest';
import { FrameTexts } from './frame-texts.ts';

const NULS = '\0'.repeat(5000);
const HEADER = JSON.stringify({ recording: 1, side: 'host', redacted: false });
const entryOf = (text: string) => ({ t: 1, dir: 'from-agent', line: JSON.stringify({ type: 'x', text }) });

test('the frames of a recording are read again, whatever NULs a crash has left between them', async () => {
  const [one, two] = ['one', 'two'].map((text) => JSON.stringify(entryOf(text)));
  const all = new TextEncoder().encode(`${NULS}${HEADER}\n${NULS}${one}${NULS}${two}${NULS}`);
  const timeline = new Timeline();
  const bytes = (async function* () {
    yield all;
  })();
  for await (const { entry, ...place } of readEntries(bytes)) timeline.push(entry, place);
  const texts = new FrameTexts({
    name: 'x',
    length: all.length,
    read: async (from, to) => all.subarray(from, to),
    waitFor: async () => false,
  });
  const frames = [0, 1].map((index) => timeline.frame(index));
  for (const [index, frame] of frames.entries()) {
    expect(await texts.read(frame)).toMatchObject({ message: { type: 'x', text: ['one', 'two'][index] } });
  }
  expect([...(await texts.lines(frames)).values()]).toEqual(['one', 'two'].map((text) => entryOf(text).line));
});
