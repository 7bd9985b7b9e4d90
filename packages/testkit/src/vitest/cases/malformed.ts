import { type Batch, TransportError } from '@proto/core/transport';
import { expect } from 'vitest';
import { numbered, send } from '../sending.ts';
import type { ContractCase } from '../contract-case.ts';

/** Point 7: a line that is dropped or is not a message is reported in order with the other items, and the stream continues. */
export const malformed: readonly ContractCase[] = [
  {
    point: 7,
    title: 'a line that framing drops is reported in order as a malformed item, and the stream continues',
    needs: ['inject'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.within(send(pair.remote, numbered(1)), 'the other side sends');
      await here.take(1);
      await context.inject(pair);
      const lost = () => here.items.filter((item) => item.kind === 'malformed');
      await here.until(() => lost().length > 0, 'a malformed item arrives');
      await context.within(send(pair.remote, numbered(2)), 'the other side sends');
      await here.take(2);
      expect(here.items.map(({ kind }) => kind).filter((kind) => kind !== 'link')).toEqual([
        'message',
        'malformed',
        'message',
      ]);
      for (const item of lost()) {
        expect(TransportError.is(item.error) && ['malformed', 'too-large'].includes(item.error.code)).toBe(true);
        expect(typeof item.excerpt).toBe('string');
      }
    },
  },
  {
    point: 7,
    title: 'a line that is not a message arrives unchanged, and its read() returns an error',
    needs: ['anyLine'],
    async run(context) {
      const { local, remote } = await context.connect();
      const here = context.read(local);
      for (const batch of [numbered(1), lineOf('[1,2]'), lineOf('{"no":"type"}'), numbered(2)]) {
        await context.within(send(remote, batch), 'the other side sends');
      }
      const arrived = await here.take(4);
      expect(arrived.map((item) => item.read().error?.code)).toEqual([undefined, 'malformed', 'malformed', undefined]);
      expect(arrived.map((item) => item.read() === item.read())).toEqual([true, true, true, true]);
    },
  },
];

function lineOf(text: string): Batch {
  return {
    count: 1,
    text: `${text}\n`,
    *messages() {
      yield { text, id: undefined, ephemeral: false };
    },
  };
}
