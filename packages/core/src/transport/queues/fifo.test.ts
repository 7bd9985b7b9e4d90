import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Fifo } from './fifo.ts';

test('property: a Fifo behaves like a plain array', () => {
  const step = fc.oneof(
    fc.record({ push: fc.nat() }),
    fc.constantFrom('shift' as const, 'shift' as const, 'clear' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const fifo = new Fifo<number>();
      let model: number[] = [];
      for (const action of steps) {
        if (action === 'shift') expect(fifo.shift()).toBe(model.shift());
        else if (action === 'clear') {
          expect(fifo.clear()).toEqual(model);
          model = [];
        } else {
          fifo.push(action.push);
          model.push(action.push);
        }
        expect([fifo.size, fifo.peek(), fifo.last(), [...fifo]]).toEqual([model.length, model[0], model.at(-1), model]);
      }
    }),
  );
});
