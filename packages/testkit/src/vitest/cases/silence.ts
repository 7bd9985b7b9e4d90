import { expect } from 'vitest';
import type { ContractCase } from '../contract-case.ts';
import { within } from '../within.ts';

/** Point 11: a silent connection is noticed within a stated time. */
export const silence: readonly ContractCase[] = [
  {
    point: 11,
    title: 'a silent link is noticed in time',
    needs: ['silence'],
    async run(context) {
      const pair = await context.connect();
      const here = context.read(pair.local);
      await context.silence.start(pair);
      const down = () => here.links.find(({ state }) => state === 'down');
      const noticed = here.until(() => down() !== undefined, 'the link is reported as down').catch(() => undefined);
      await within(context.silence.noticedWithinMs, noticed, 'the silence is noticed');
      const cause = down()?.cause ?? (await context.within(pair.local.closed, 'closed fulfils')).error;
      expect(cause?.code).toBe('timeout');
    },
  },
];
