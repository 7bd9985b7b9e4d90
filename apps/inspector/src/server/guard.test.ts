import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { guardLoopback } from './guard.ts';

const refusal = (headers: Readonly<Record<string, string>>) => guardLoopback(new Headers(headers))?.code;
const host = '127.0.0.1:6374';

verifies('SAFE-1', 'requests of the page, and of programs of this machine, are let through', () => {
  expect(refusal({ host })).toBeUndefined();
  expect(refusal({ host: 'localhost:6374', origin: 'http://localhost:6374' })).toBeUndefined();
  expect(refusal({ host: '[::1]:6374', 'sec-fetch-site': 'same-origin' })).toBeUndefined();
  expect(refusal({ host, 'sec-fetch-site': 'none' })).toBeUndefined();
});

verifies(
  'SAFE-2',
  'a name that was rebound to this machine is refused, also where the origin has the same name',
  () => {
    for (const name of [
      'evil.example',
      'evil.example:6374',
      '127.0.0.1.evil.example',
      'localhost:6374.evil.example',
      '',
    ])
      expect(refusal({ host: name, origin: `http://${name}` }), name).toBe('host');
  },
);

verifies('SAFE-1', 'pages of other origins, sites and ports of this machine are refused', () => {
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'http://localhost:6374', 'null'])
    expect(refusal({ host, origin }), origin).toBe('origin');
  for (const site of ['cross-site', 'same-site'])
    expect(refusal({ host, 'sec-fetch-site': site }), site).toBe('origin');
});
