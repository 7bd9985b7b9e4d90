import { expect, test } from 'vitest';
import { hostAndPuppet } from './puppet-agent.test-support.ts';

test.each([
  ['an object', { subtype: 'get_plan' }],
  ['an array', ['get_plan']],
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
])(
  'a request whose subtype is %s rejects with a TypeError that shows the call, and sends nothing',
  async (what, subtype) => {
    const { host, puppet } = hostAndPuppet();
    await host.initialized;
    const request = host.request(subtype as unknown as string).catch((error: unknown) => error);
    expect(await request).toBeInstanceOf(TypeError);
    expect(String(await request)).toContain(`must be a string, not ${what}: call request('`);
    expect(puppet.frames.filter(({ type }) => type === 'control_request')).toHaveLength(1);
  },
);
