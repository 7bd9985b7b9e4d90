import { expect, test } from 'vitest';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { type DeliveryMark, KeptMarks } from './kept-marks.ts';

const mark = (id: string) => ({ id, status: 'processed' });

async function read(marks: KeptMarks): Promise<readonly DeliveryMark[]> {
  const found: DeliveryMark[] = [];
  for await (const each of marks.read()) found.push(each);
  return found;
}

test('marks after a checkpoint are returned in order, and earlier marks are not', async () => {
  const log = createMemoryEventLog();
  const marks = new KeptMarks(log, 's');
  await marks.append([mark('a'), mark('b')]);
  const { upTo } = marks;
  await marks.append([{ upTo: 7 }, mark('c')]);
  expect(await read(new KeptMarks(log, 's', upTo))).toEqual([{ upTo: 7 }, mark('c')]);
  expect(await read(new KeptMarks(log, 's'))).toHaveLength(4);
});

test('after the stream of marks has expired, a new stream begins, and its marks are all returned', async () => {
  let time = 1_000_000;
  const log = createMemoryEventLog({ now: () => time, maxAgeMs: 1000 });
  const marks = new KeptMarks(log, 's');
  await marks.append(['a', 'b', 'c'].map(mark));
  marks.checkpointed();
  const checkpoint = marks.upTo;
  time += 5000;
  await log.expire();
  expect(await read(new KeptMarks(log, 's', checkpoint))).toEqual([]);
  await marks.append([mark('d')]);
  expect(await read(new KeptMarks(log, 's', checkpoint))).toEqual([mark('d')]);
  // A new checkpoint is due, because the old checkpoint would hide the first three marks of the new stream.
  expect(marks.sinceCheckpoint).toBe(Infinity);
});

test('a damaged row is skipped', async () => {
  const log = createMemoryEventLog();
  await log.append('s/marks', [{ id: 'x', type: 'delivery', source: 'worker', payload: '{' }]);
  await new KeptMarks(log, 's').append([mark('a')]);
  expect(await read(new KeptMarks(log, 's'))).toEqual([mark('a')]);
});

test('marks that could not be stored are stored and announced with the next marks', async () => {
  const log = createMemoryEventLog();
  const { append } = log;
  const marks = new KeptMarks(log, 's');
  log.append = () => Promise.reject(new Error('no room'));
  await expect(marks.append([mark('a')], [{ event_id: 'a' }])).rejects.toThrow('no room');
  await expect(marks.append([], [])).rejects.toThrow('no room');
  log.append = append;
  expect(await marks.append([mark('b')], [{ event_id: 'b' }])).toEqual([{ event_id: 'a' }, { event_id: 'b' }]);
  expect(await marks.append([], [])).toEqual([]);
  expect(await read(new KeptMarks(log, 's'))).toEqual([mark('a'), mark('b')]);
});
