import { expect, test } from 'vitest';
import { environmentProxies } from './environment-proxies.ts';

const MACHINE = 'localhost,127.0.0.1,[::1]';

test.each([
  [{}, { httpProxy: '', httpsProxy: '', noProxy: `,${MACHINE}` }],
  [
    { https_proxy: 'http://secure:1', HTTP_PROXY: 'plain:2', NO_PROXY: 'a.example .b.example' },
    { httpProxy: 'http://plain:2', httpsProxy: 'http://secure:1', noProxy: `a.example .b.example,${MACHINE}` },
  ],
  [
    { https_proxy: '', HTTPS_PROXY: 'http://upper:1' },
    { httpProxy: '', httpsProxy: '', noProxy: `,${MACHINE}` },
  ],
  [{ no_proxy: 'a, *' }, { httpProxy: '', httpsProxy: '', noProxy: '*' }],
  [{ no_proxy: '*.a' }, { httpProxy: '', httpsProxy: '', noProxy: `*.a,${MACHINE}` }],
])('%j names %j', (env, proxies) => {
  expect(environmentProxies(env)).toEqual(proxies);
});
