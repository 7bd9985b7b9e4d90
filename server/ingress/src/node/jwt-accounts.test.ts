/** Tests of accounts by tokens of an issuer, with a server of keys on this machine. */
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccounts } from '../auth/accounts.ts';
import { startIngress } from '../ingress.test-support.ts';
import { addJwtAccounts, type JwtAccountsOptions } from './jwt-accounts.ts';

const [ISSUER, AUDIENCE, LOCAL] = ['https://issuer.example', 'sjp', 'local-token-0123456789'];
const DRIVER = { sub: 'alice', sjp_role: 'driver' };

/** A key of an issuer, and what it signs. */
async function newKey(kid: string, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg };
  const sign = (
    claims: JWTPayload = DRIVER,
    { exp = '5m', iss = ISSUER, aud = AUDIENCE }: Partial<Registered> = {},
  ) => {
    const token = new SignJWT(claims).setProtectedHeader({ alg, kid }).setIssuer(iss).setAudience(aud);
    return (exp === 'never' ? token : token.setExpirationTime(exp)).sign(privateKey);
  };
  return { jwk, publicKey, sign };
}

interface Registered {
  readonly exp: string | number | Date;
  readonly iss: string;
  readonly aud: string;
}

/** Serves keys; counts how often they are asked for. */
async function serveKeys(keys: readonly JWK[]) {
  const state = { keys, asked: 0, status: 200 };
  const server = createServer((_, response) => {
    state.asked++;
    response.writeHead(state.status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: state.keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    await closed;
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys` };
}

async function accountsOf(jwks: string, options: Partial<JwtAccountsOptions> = {}) {
  const local = await createAccounts([{ name: 'alice', role: 'viewer', token: LOCAL }]);
  return addJwtAccounts(local, { jwks, issuer: ISSUER, audience: AUDIENCE, ...options });
}

/** Makes a token whose header and signature are not those of an issuer. */
function forged(header: object, claims: object, signature = ''): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}

const soon = () => Math.floor(Date.now() / 1000) + 300;

test('a token of the issuer is an account in addition to the local accounts, and no local account has its name', async () => {
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  const accounts = await accountsOf(url);
  const account = await accounts.authenticate(await key.sign());
  expect(account).toEqual({ name: 'jwt:alice', role: 'driver' });
  expect(account && (await accounts.isCurrent?.(account))).toBe(true);
  const local = await accounts.authenticate(LOCAL);
  expect(local).toMatchObject({ name: 'alice', role: 'viewer' });
  expect(local && (await accounts.isCurrent?.(local))).toBe(true);
  expect(await accounts.authenticate('a-token-of-nobody-0123')).toBeUndefined();
});

test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('%s is accepted', async (alg) => {
  const key = await newKey('one', alg);
  const { url } = await serveKeys([key.jwk]);
  expect(await (await accountsOf(url)).authenticate(await key.sign())).toBeDefined();
});

test('a token is refused that has expired, is not valid yet, is for another service, of another issuer, or without an end', async () => {
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  const { authenticate } = await accountsOf(url);
  const refused = [
    await key.sign(DRIVER, { exp: new Date(Date.now() - 31_000) }),
    await key.sign({ ...DRIVER, nbf: soon() }),
    await key.sign(DRIVER, { aud: 'another service' }),
    await key.sign(DRIVER, { iss: 'https://other.example' }),
    await key.sign(DRIVER, { exp: 'never' }),
  ];
  for (const token of refused) expect(await authenticate(token)).toBeUndefined();
  // Clocks may differ by thirty seconds.
  expect(await authenticate(await key.sign(DRIVER, { exp: new Date(Date.now() - 20_000) }))).toBeDefined();
});

test('a token is refused without a signature, with a foreign one, and with the public key as a shared secret', async () => {
  const key = await newKey('one', 'RS256');
  const stranger = await newKey('one', 'RS256');
  const { url } = await serveKeys([key.jwk]);
  const { authenticate } = await accountsOf(url);
  const claims = { ...DRIVER, iss: ISSUER, aud: AUDIENCE, exp: soon() };
  const [head, body] = (await key.sign()).split('.');
  const secret = new TextEncoder().encode(await exportSPKI(key.publicKey));
  const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
  const refused = [
    forged({ alg: 'none' }, claims),
    forged({ alg: 'None', kid: 'one' }, claims),
    `${head}.${body}.`,
    shared,
    await stranger.sign(),
    forged({ alg: 'RS256', kid: 'one', jwk: stranger.jwk }, claims, 'AAAA'),
  ];
  for (const token of refused) expect(await authenticate(token)).toBeUndefined();
  expect(await authenticate(await key.sign())).toBeDefined();
});

test('a signature that is not in the list is refused, and so is a list with shared secrets', async () => {
  const key = await newKey('one', 'RS256');
  const { url } = await serveKeys([key.jwk]);
  const { authenticate } = await accountsOf(url, { algorithms: ['ES256'] });
  expect(await authenticate(await key.sign())).toBeUndefined();
  for (const algorithms of [['HS256'], ['none'], ['RS256', 'HS512'], []]) {
    await expect(accountsOf(url, { algorithms })).rejects.toThrow(TypeError);
  }
});

test.each(['http://keys.example/', 'ftp://keys.example/', 'file:///keys', 'https://'])(
  'keys are not taken from %s',
  async (url) => {
    await expect(accountsOf(url)).rejects.toThrow('https: URL or in a file');
  },
);

test('an unknown key is asked for once, and then not before the end of the cool-down', async () => {
  const [known, unknown] = [await newKey('known'), await newKey('unknown')];
  const { url, state } = await serveKeys([known.jwk]);
  const { authenticate } = await accountsOf(url, { coolDownMs: 60_000 });
  for (let n = 0; n < 20; n++) expect(await authenticate(await unknown.sign({ sub: `${n}` }))).toBeUndefined();
  expect(state.asked).toBe(1);
  expect(await authenticate(await known.sign())).toBeDefined();
});

test('a key that the issuer adds is accepted after the cool-down, and one that it withdraws ends its accounts', async () => {
  const [old, fresh] = [await newKey('old'), await newKey('fresh')];
  const { url, state } = await serveKeys([old.jwk]);
  const accounts = await accountsOf(url, { coolDownMs: 0 });
  const before = await old.sign();
  const account = await accounts.authenticate(before);
  state.keys = [fresh.jwk];
  expect(await accounts.authenticate(await fresh.sign())).toBeDefined();
  expect(await accounts.authenticate(before)).toBeUndefined();
  expect(account && (await accounts.isCurrent?.(account))).toBe(false);
});

test('an account ends with its token', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  const accounts = await accountsOf(url);
  const token = await key.sign();
  const account = await accounts.authenticate(token);
  vi.setSystemTime(Date.now() + 329_000);
  expect(account && (await accounts.isCurrent?.(account))).toBe(true);
  vi.setSystemTime(Date.now() + 2000);
  expect(account && (await accounts.isCurrent?.(account))).toBe(false);
  expect(await accounts.authenticate(token)).toBeUndefined();
});

test('a signature is verified once, and not with each request', async () => {
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  const { authenticate } = await accountsOf(url);
  const token = await key.sign();
  await authenticate(token);
  await authenticate(token);
  const verify = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verify.mockRestore());
  for (let n = 0; n < 50; n++) await authenticate(token);
  expect(verify).not.toHaveBeenCalled();
});

test.each([
  ['no role', { sub: 'a' }, undefined],
  ['an unknown role', { sub: 'a', sjp_role: 'admin' }, undefined],
  ['a role that is a name of every object', { sub: 'a', sjp_role: 'toString' }, undefined],
  ['no name', { sjp_role: 'driver' }, undefined],
  ['a name with a control character', { sub: 'a\nb', sjp_role: 'driver' }, undefined],
  ['several roles', { sub: 'a', sjp_role: ['viewer', 'approver', 'else'] }, { name: 'jwt:a', role: 'approver' }],
  [
    'sessions',
    { sub: 'a', sjp_role: 'viewer', sjp_sessions: ['cse_1'] },
    { name: 'jwt:a', role: 'viewer', sessions: ['cse_1'] },
  ],
  [
    'no sessions at all',
    { sub: 'a', sjp_role: 'viewer', sjp_sessions: [] },
    { name: 'jwt:a', role: 'viewer', sessions: [] },
  ],
  ['a limit of sessions that is not a list', { sub: 'a', sjp_role: 'viewer', sjp_sessions: 'cse_1' }, undefined],
])('claims with %s', async (_, claims, account) => {
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  expect(await (await accountsOf(url)).authenticate(await key.sign(claims))).toEqual(account);
});

test('claims of any issuer can be mapped: groups to roles, and another name', async () => {
  const key = await newKey('one');
  const { url } = await serveKeys([key.jwk]);
  const mapping = { nameClaim: 'email', roleClaim: 'groups', roles: { staff: 'viewer', oncall: 'driver' } } as const;
  const { authenticate } = await accountsOf(url, mapping);
  const token = await key.sign({ email: 'a@b.example', groups: ['staff', 'oncall'], sjp_role: 'viewer' });
  expect(await authenticate(token)).toEqual({ name: 'jwt:a@b.example', role: 'driver' });
  expect(await authenticate(await key.sign({ email: 'c@b.example', groups: ['driver'] }))).toBeUndefined();
});

test('while the keys cannot be read, their tokens are refused for now, and local accounts go on', async () => {
  const key = await newKey('one');
  const { url, state } = await serveKeys([key.jwk]);
  state.status = 500;
  const onError = vi.fn();
  const { request } = await startIngress({ accounts: await accountsOf(url), onError });
  const status = async (token: string) => (await request('/v1/code/sessions', { method: 'GET', token })).status;
  const token = await key.sign();
  expect([await status(token), await status(token)]).toEqual([503, 503]);
  expect(await status(LOCAL)).toBe(200);
  expect(onError).toHaveBeenCalledOnce();
  expect(String(onError.mock.calls[0]?.[0])).toContain(url);
  // The keys are not fetched again for each request while their server fails.
  expect(state.asked).toBe(1);
});

test('keys in a file are read again when it changes; a broken file refuses its tokens for now', async () => {
  const [old, fresh] = [await newKey('old'), await newKey('fresh')];
  const file = join(mkdtempSync(join(tmpdir(), 'sjp-keys-')), 'keys.json');
  writeFileSync(file, JSON.stringify({ keys: [old.jwk] }));
  const { authenticate } = await accountsOf(file);
  const before = await old.sign();
  expect(await authenticate(before)).toBeDefined();
  writeFileSync(file, JSON.stringify({ keys: [fresh.jwk] }));
  const after = await fresh.sign();
  await expect.poll(() => authenticate(after), { timeout: 5000 }).toBeDefined();
  expect(await authenticate(before)).toBeUndefined();
  writeFileSync(file, '{"keys":');
  await expect
    .poll(() => authenticate(after).catch((error: Error) => error.name), { timeout: 5000 })
    .toBe('AccountsError');
});
