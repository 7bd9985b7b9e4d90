import { expect, test } from 'vitest';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { type DeliveryMark, KeptMarks } from './kept-marks.ts';

const mark = (id: string) => ({ id, status: 'processed' });

async function read(marks: KeptMarks): Promise<readonly DeliveryMark[]> {
  const found: DeliveryMark[] = [];
  for await (const each of marks.read()) found.push(each);
  return found;
}

test('marks since a checkpoint come back in order, and those before it do not', async () => {
  const log = createMemoryEventLog();
  const marks = new KeptMarks(log, 's');
  await marks.append([mark('a'), mark('b')]);
  const { upTo } = marks;
  await marks.append([{ upTo: 7 }, mark('c')]);
  expect(await read(new KeptMarks(log, 's', upTo))).toEqual([{ upTo: 7 }, mark('c')]);
  expect(await read(new KeptMarks(log, 's'))).toHaveLength(4);
});

test('a stream of marks that was dropped for its age begins anew, and nothing of the new one is passed over', async () => {
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
  // Or the checkpoint of before would hide the first three of it.
  expect(marks.sinceCheckpoint).toBe(Infinity);
});

test('a damaged row is left out', async () => {
  const log = createMemoryEventLog();
  await log.append('s/marks', [{ id: 'x', type: 'delivery', source: 'worker', payload: '{' }]);
  await new KeptMarks(log, 's').append([mark('a')]);
  expect(await read(new KeptMarks(log, 's'))).toEqual([mark('a')]);
});

test('marks that could not be stored are stored and told with the next ones', async () => {
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
