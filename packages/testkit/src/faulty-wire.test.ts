import { encodeBatch, createMemoryPair, flattenIncoming, type Incoming } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { createFaultyWire, type FaultyWireOptions } from './faulty-wire.ts';

/** Returns the messages that arrive when six messages are sent. */
async function through(options: FaultyWireOptions): Promise<readonly unknown[]> {
  const { host, agent } = createMemoryPair();
  const wire = createFaultyWire(host, options);
  for (let n = 1; n <= 6; n++) void agent.send(encodeBatch({ type: 'note', n }));
  void agent.end();
  const arrived: unknown[] = [];
  for await (const item of flattenIncoming(wire.incoming)) arrived.push(numberOf(item));
  await wire.close();
  return arrived;
}

const numberOf = (item: Incoming) => (item.kind === 'message' ? item.read().message?.['n'] : item.kind);
const isThird: FaultyWireOptions['isHit'] = (message) => Number(message.read().message?.['n']) % 3 === 0;

test.each<[FaultyWireOptions['fault'], readonly number[]]>([
  ['drop', [1, 2, 4, 5]],
  ['dup', [1, 2, 3, 3, 4, 5, 6, 6]],
  ['reorder', [1, 2, 4, 3, 5, 6]],
])('%s', async (fault, arrived) => expect(await through({ fault, isHit: isThird })).toEqual(arrived));

test('sent messages and the end are passed unchanged', async () => {
  const { host, agent } = createMemoryPair();
  const wire = createFaultyWire(host, { fault: 'drop' });
  await wire.send(encodeBatch({ type: 'note', n: 1 }));
  expect(numberOf((await flattenIncoming(agent.incoming).next()).value as Incoming)).toBe(1);
  await wire.close();
  expect((await wire.closed).error).toBeUndefined();
});
