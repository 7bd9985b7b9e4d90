/** Tests of `sjp serve` with accounts that are identified by an issuer's tokens. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, MAIN, run } from '../bins.test-support.ts';
import { startServer } from './serve.test-support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = join(FOLDER, 'keys.json');
writeFileSync(KEYS, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' }] }));
const ISSUER = ['--jwks', KEYS, '--jwt-issuer', 'https://issuer.example', '--jwt-audience', 'sjp'];

/** A token from the issuer. */
function tokenWith(claims: object): string {
  const registered = { iss: 'https://issuer.example', aud: 'sjp', exp: Math.floor(Date.now() / 1000) + 300 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'ES256', kid: 'one' })}.${part({ sub: 'alice', ...registered, ...claims })}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

test('tokens of an issuer are accepted in addition to the token of the server, with the rights of their groups', async () => {
  const server = await startServer([
    ...ISSUER,
    '--jwt-role-claim',
    'groups',
    '--jwt-roles',
    'oncall=driver,staff=viewer',
  ]);
  const create = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${server.base}/v1/code/sessions`, { method: 'POST', headers, body: '{}' })).status;
  };
  expect(await create(tokenWith({ groups: ['staff', 'oncall'] }))).toBe(200);
  expect(await create(tokenWith({ groups: ['staff'] }))).toBe(403);
  expect(await create(tokenWith({ groups: ['driver'] }))).toBe(401);
  expect(await create(tokenWith({ groups: ['oncall'], aud: 'another service' }))).toBe(401);
  expect(await create(server.token)).toBe(200);
});

test.each([
  [ISSUER.slice(0, 4), '--jwt-audience'],
  [['--jwt-issuer', 'a'], '--jwks'],
  [[...ISSUER, '--dangerously-no-auth'], 'cannot be used together'],
  [[...ISSUER, '--jwt-roles', 'oncall'], 'TEXT=ROLE'],
  [[...ISSUER, '--jwt-algorithms', 'HS256'], 'is not a public-key signature algorithm'],
  [['--jwks', 'http://keys.example/', ...ISSUER.slice(2)], 'https: URL'],
])('%j is wrong usage: %s', async (flags, reason) => {
  const { stderr, code } = await run(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', 'memory', ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
