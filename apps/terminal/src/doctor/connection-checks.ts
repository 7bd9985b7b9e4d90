import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import { LONGEST_TIMER_MS } from '@proto/core/network';
import { parseSessionAddress, type SessionAddress } from '@proto/remote';
import { type Check, failed, fine, milliseconds, skipped } from './check.ts';
import { type ServerTarget, serverChecks } from './server-checks.ts';

/** How to check a connection to a session server. */
export interface ConnectionCheckOptions {
  /** The address of the server, or of one of its sessions. */
  readonly url: string;
  /** The token; undefined if no token is sent. */
  readonly token: string | undefined;
  /** How long each step may take, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
const STEPS = ['name', 'tcp', 'tls', 'http', 'clock', 'token', 'stream', 'websocket', 'round trip'];

/** Checks a connection step by step. If a step fails, the steps that depend on it are skipped. */
export async function connectionChecks({
  url,
  token,
  timeoutMs = TIMEOUT_MS,
}: ConnectionCheckOptions): Promise<readonly Check[]> {
  let address: SessionAddress;
  try {
    address = parseSessionAddress(url);
  } catch (error) {
    const advice = 'give the address that the server printed, such as http://127.0.0.1:4983';
    return [failed('address', 'wrong-address', (error as Error).message, advice), ...rest(0, 'the address is wrong')];
  }
  const base = new URL(address.base);
  const name = await nameStep(base);
  if (name.status === 'failed') return [name, ...rest(1, 'the host name is unknown')];
  const tcp = await tcpStep(base, timeoutMs);
  if (tcp.status === 'failed') return [name, tcp, ...rest(2, 'the server cannot be reached')];
  const tls = base.protocol === 'https:' ? await tlsStep(base, timeoutMs) : skipped('tls', 'the address is http');
  if (tls.status === 'failed') return [name, tcp, tls, ...rest(3, 'the connection is not secure')];
  const target: ServerTarget = { base: address.base, session: address.session, token, timeoutMs };
  return [name, tcp, tls, ...(await serverChecks(target))];
}

function rest(from: number, why: string): readonly Check[] {
  return STEPS.slice(from).map((name) => skipped(name, why));
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

async function nameStep(base: URL): Promise<Check> {
  const host = hostOf(base);
  if (isIP(host) !== 0) return fine('name', `${host} is an IP address`);
  const from = performance.now();
  try {
    const found = await lookup(host, { all: true });
    return fine(
      'name',
      `${host} has the address ${found.map(({ address }) => address).join(', ')}, found after ${milliseconds(from)}`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice = 'correct the name, or check DNS and the VPN of this machine';
    return failed('name', 'name-unknown', `the host name ${host} is unknown: ${code}`, advice);
  }
}

async function tcpStep(base: URL, timeoutMs: number): Promise<Check> {
  const [host, port, from] = [hostOf(base), portOf(base), performance.now()];
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS)) });
    return fine('tcp', `port ${port} answers after ${milliseconds(from)}`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
    const [problem, advice] =
      code === 'ECONNREFUSED'
        ? ['not-listening', `correct the port, or start the server with sjp serve --listen ${host}:${port}`]
        : ['no-connection', 'check the firewalls and the VPN between this machine and the server'];
    return failed(
      'tcp',
      problem,
      code === 'ABORT_ERR' ? `port ${port} did not answer in time` : `port ${port} cannot be reached: ${code}`,
      advice,
    );
  } finally {
    socket.destroy();
  }
}

async function tlsStep(base: URL, timeoutMs: number): Promise<Check> {
  const [host, from] = [hostOf(base), performance.now()];
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ host, port: portOf(base), ...servername, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS)) });
    return certificateCheck(socket, host) ?? fine('tls', `${socket.getProtocol()}, after ${milliseconds(from)}`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
    const advice = 'if the server has no TLS, give the address with http:// instead of https://';
    return failed('tls', 'no-tls', `the server does not speak TLS: ${code}`, advice);
  } finally {
    socket.destroy();
  }
}

function certificateCheck(socket: TLSSocket, host: string): Check | undefined {
  const certificate = socket.getPeerCertificate();
  const wrongName = checkServerIdentity(host, certificate);
  if (wrongName !== undefined) {
    const names = certificate.subjectaltname ?? certificate.subject?.CN ?? 'no name';
    const advice = 'connect with a name that is in the certificate, or give the server a certificate for this name';
    return failed('tls', 'tls-name', `the certificate is not for ${host}, but for ${String(names)}`, advice);
  }
  if (socket.authorized) return undefined;
  // The type declares an Error, but the value is an error code.
  const code = String(socket.authorizationError);
  const isTime = code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
  const found = isTime
    ? `the certificate is valid from ${certificate.valid_from} to ${certificate.valid_to}`
    : `the certificate is not trusted: ${code}`;
  const advice = isTime
    ? 'renew the certificate, and check the clock of this machine'
    : 'set NODE_EXTRA_CA_CERTS to the file of the certificate authority that issued the certificate';
  return failed('tls', isTime ? 'tls-time' : 'tls-untrusted', found, advice);
}
