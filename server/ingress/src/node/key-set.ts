import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';

/** The public keys of an issuer, read from a URL or a file. */
export interface KeySet {
  /** Finds the key of a token. Rejects as `KeysUnavailable` while the keys cannot be read, and with another error if no key matches. */
  readonly keyOf: JWTVerifyGetKey;
  /** A number that increases each time the keys were read and may have changed. */
  readonly generation: () => number;
  /** The time in milliseconds after which a verified token must be verified again, so that changed keys are noticed. */
  readonly recheckMs: number;
}

export class KeysUnavailable extends Error {}

/** How long after a fetch an unknown key causes no further fetch. The limit is needed because any client can invent key names. */
export const DEFAULT_COOL_DOWN_MS = 30_000;
/** After this time the keys are fetched again, so that a withdrawn key is refused. */
const MAX_AGE_MS = 10 * 60_000;
/** The minimum time between two attempts after a failed fetch, and between two reads of a file. */
const RETRY_MS = 1000;
const RECHECK_URL_MS = 60_000;

/** Opens keys at an `https:` URL, at an `http:` URL on this machine, or in a file. @throws TypeError for any other URL. */
export function openKeySet(source: string, coolDownMs: number): KeySet {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(source)) return keysInFile(source);
  const url = URL.canParse(source) ? new URL(source) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || isLocal)) {
    throw new TypeError('accounts: the keys of an issuer must be at an https: URL or in a file');
  }
  return keysAt(url, coolDownMs);
}

function keysAt(url: URL, cooldownDuration: number): KeySet {
  let generation = 0;
  let failed: { readonly at: number; readonly error: unknown } | undefined;
  const fetchKeys = async (...[input, init]: Parameters<typeof fetch>) => {
    if (failed !== undefined && performance.now() - failed.at < RETRY_MS) throw failed.error;
    try {
      const response = await fetch(input, init);
      if (response.status !== 200) throw new Error(`the answer has the status ${response.status}`);
      failed = undefined;
      generation++;
      return response;
    } catch (error) {
      failed = { at: performance.now(), error };
      throw error;
    }
  };
  const find = createRemoteJWKSet(url, { cooldownDuration, cacheMaxAge: MAX_AGE_MS, [customFetch]: fetchKeys });
  return {
    keyOf: (header, token) => withReadErrors(url.href, find(header, token)),
    generation: () => generation,
    recheckMs: RECHECK_URL_MS,
  };
}

function keysInFile(path: string): KeySet {
  let text: string | undefined;
  let find: JWTVerifyGetKey | undefined;
  let generation = 0;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const read = async () => {
    readAt = performance.now();
    const found = await readFile(path, 'utf8');
    if (found === text) return;
    find = createLocalJWKSet(parsed(found));
    text = found;
    generation++;
  };
  const look = async (...[header, token]: Parameters<JWTVerifyGetKey>) => {
    if (performance.now() - readAt >= RETRY_MS) reading ??= read().finally(() => (reading = undefined));
    await reading;
    if (find === undefined) throw new Error('the last attempt failed');
    return find(header, token);
  };
  return {
    keyOf: (header, token) => withReadErrors(path, look(header, token)),
    generation: () => generation,
    recheckMs: RETRY_MS,
  };
}

function parsed(text: string): JSONWebKeySet {
  try {
    return JSON.parse(text) as JSONWebKeySet;
  } catch {
    // The parser's message would quote the file, which may contain private keys by mistake.
    throw new TypeError('the content is not JSON');
  }
}

/** Rejects as `KeysUnavailable` if the keys cannot be read, and with the original error if the key of the token does not exist. */
async function withReadErrors<Key>(source: string, finding: Promise<Key>): Promise<Key> {
  try {
    return await finding;
  } catch (cause) {
    const isAboutToken =
      cause instanceof errors.JWKSNoMatchingKey ||
      cause instanceof errors.JWKSMultipleMatchingKeys ||
      cause instanceof errors.JOSENotSupported;
    if (isAboutToken) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new KeysUnavailable(`${source}: the keys of the issuer cannot be read: ${reason}`, { cause });
  }
}
