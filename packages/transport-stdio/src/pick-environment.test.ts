import { expect, test } from 'vitest';
import { pickEnvironment } from './pick-environment.ts';

test('an environment holds what is on the list, in any case, and what is set', () => {
  const from = { Path: 'C:\\bin', https_proxy: 'http://proxy', HOME: '/home/ada', API_KEY: 'secret', EMPTY: undefined };
  expect(pickEnvironment(['PATH', 'HTTPS_PROXY'], { API_KEY: 'mine' }, from)).toEqual({
    Path: 'C:\\bin',
    https_proxy: 'http://proxy',
    API_KEY: 'mine',
  });
  expect(pickEnvironment([], {}, from)).toEqual({});
  expect(pickEnvironment(['path'])).toEqual({ PATH: process.env['PATH'] });
});
