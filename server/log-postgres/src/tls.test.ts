/** Encrypted connections: the certificate of the server is checked, and nobody talks in plain text where that was not wanted. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres, startPostgres, type TemporaryPostgres } from '@proto/test-support/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect, eventOf, openNodes } from './nodes.test-support.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';

const has = hasPostgres() && spawnSync('openssl', ['version']).status === 0;
const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'postgres-tls-'));
const file = (name: string) => join(folder, name);

function openssl(...argv: readonly string[]): void {
  execFileSync('openssl', argv, { stdio: 'ignore', cwd: folder });
}

/** Makes an authority. */
function makeAuthority(name: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  openssl('req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, '-out', `${name}.pem`);
}

/** Makes the certificate of the server, which an authority has signed for a name. */
function makeCertificate(authority: string, name: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'server.key'];
  openssl('req', ...key, '-subj', `/CN=${name}`, '-out', 'server.csr');
  writeFileSync(file('names'), `subjectAltName=DNS:${name}\n`);
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-extfile', 'names', '-out', 'server.pem');
}

let secure: TemporaryPostgres;
let plain: TemporaryPostgres;

beforeAll(async () => {
  if (!has) return;
  for (const name of ['authority', 'stranger']) makeAuthority(name);
  makeCertificate('authority', 'localhost');
  writeFileSync(file('hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  chmodSync(folder, 0o711);
  chmodSync(file('server.key'), 0o600);
  for (const name of ['server.pem', 'hba.conf']) chmodSync(file(name), 0o644);
  // The server runs as this user, and starts only if no other user can read its key.
  if (isRoot) chownSync(file('server.key'), 65_534, 65_534);
  const certificate = { ssl: 'on', ssl_cert_file: file('server.pem'), ssl_key_file: file('server.key') };
  secure = await startPostgres({ ...certificate, hba_file: file('hba.conf') });
  plain = await startPostgres();
}, 60_000);

afterAll(async () => {
  await secure?.[Symbol.asyncDispose]();
  await plain?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** The address of a server, with what is wanted of the connection. */
function address(server: TemporaryPostgres, host: string, wanted: Readonly<Record<string, string>>): string {
  const url = new URL(server.url.replace('127.0.0.1', host));
  for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value);
  return url.href;
}

const verified = { sslmode: 'verify-full', sslrootcert: file('authority.pem') };

describe.skipIf(!has)('TLS', () => {
  test('with verify-full, all connections are encrypted, also the one that listens', { timeout: 30_000 }, async () => {
    const url = address(secure, 'localhost', verified);
    const { nodes } = await openNodes(2, { url });
    const hints = nodes[1].tail('s', 0, new AbortController().signal)[Symbol.asyncIterator]();
    await nodes[0].append('s', [eventOf('x')]);
    expect(await hints.next()).toEqual({ done: false, value: 1 });
    const admin = await connect(url);
    // The hint may come before the connection that listens is open.
    const { all } = await vi.waitFor(
      async () => {
        const { rows } = await admin.query(
          `SELECT bool_and(ssl) AS all, count(*)::int AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'sjp'`,
        );
        expect(rows[0].count).toBeGreaterThanOrEqual(3);
        return rows[0];
      },
      { timeout: 20_000 },
    );
    expect(all).toBe(true);
    await hints.return?.();
  });

  test.each([
    ['of another authority', 'localhost', { ...verified, sslrootcert: file('stranger.pem') }],
    ['that no known authority has signed', 'localhost', { sslmode: 'verify-full' }],
    ['for another name', '127.0.0.1', verified],
  ])('a certificate %s is refused', async (_, host, wanted) => {
    await expect(openPostgresEventLog({ url: address(secure, host, wanted) })).rejects.toMatchObject({
      name: 'EventLogError',
      code: 'failed',
      message: expect.stringMatching(/certificate|altnames/),
    });
  });

  test('a server that wants encryption refuses plain text', async () => {
    const opened = openPostgresEventLog({ url: address(secure, 'localhost', { sslmode: 'disable' }) });
    await expect(opened).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('no encryption') });
  });

  test('a server without encryption is refused where it is wanted', async () => {
    const opened = openPostgresEventLog({ url: address(plain, 'localhost', verified) });
    await expect(opened).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('SSL') });
  });
});
