import { cutText } from '../../framing/cut-text.ts';
import { messageOf } from '../coded-error.ts';

/** The secrets of a request. No error may quote them. */
export interface RequestSecrets {
  /** The address of the request. The whole address and each part that may be secret are hidden. */
  readonly url?: string | URL | undefined;
  /** The headers of the request. Every value is hidden. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further secret texts, such as a token that is not sent in a header. */
  readonly others?: readonly (string | undefined)[];
}

// Chains of causes are short. An error may be its own cause.
const MAX_CAUSES = 5;
// A longer message probably quotes something.
const MAX_TEXT_LENGTH = 500;
// Shorter texts may occur in any message.
const MIN_SECRET_LENGTH = 4;
const HIDDEN = '…';

/**
 * Copies an error from a platform or a library so that the error may be shown. The copy has the name, the code and the message of the error, without
 * addresses and without the secrets of the request. The original error may contain the address in its message or in a member, and sometimes the
 * header that could not be sent, or the connection with all data that it has sent.
 *
 * @internal
 */
export function withoutSecrets(thrown: unknown, secrets: RequestSecrets = {}): Error {
  return tidy(thrown, textsOf(secrets), MAX_CAUSES);
}

function tidy(thrown: unknown, texts: readonly string[], causes: number): Error {
  const { name, code, cause } = Object(thrown) as { name?: unknown; code?: unknown; cause?: unknown };
  const hasCause = thrown instanceof Error && cause !== undefined && causes > 0;
  const error = new Error(hide(messageOf(thrown), texts), hasCause ? { cause: tidy(cause, texts, causes - 1) } : {});
  if (isName(name)) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  return isName(code) ? Object.assign(error, { code }) : error;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}

function hide(text: string, texts: readonly string[]): string {
  let hidden = text;
  // The secrets are removed before the text is cut, because a secret that is cut off would not be found.
  for (const secret of texts) hidden = hidden.replaceAll(secret, HIDDEN);
  return cutText(hidden, MAX_TEXT_LENGTH).replace(/\b[a-z][a-z0-9+.-]{0,15}:\/\/[^\s"'<>]*/gi, HIDDEN);
}

/** Longest first, because one secret may be part of another secret. */
function textsOf({ url, headers = {}, others = [] }: RequestSecrets): readonly string[] {
  const values = Object.values(headers).map(String);
  const texts = [...partsOf(String(url ?? '')), ...values, ...values.flatMap((value) => value.split(' ')), ...others];
  return [...new Set(texts)]
    .filter((text): text is string => text !== undefined && text.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length);
}

/** Each part is returned encoded and decoded. A text that is not a URL is secret as a whole. */
function partsOf(address: string): readonly string[] {
  if (!URL.canParse(address)) return [address];
  const { href, username, password, search, hash, searchParams } = new URL(address);
  const raw = [username, password, search, hash.slice(1), ...search.slice(1).split(/[&=]/)];
  return [address, href, ...raw, ...raw.map(decoded), ...searchParams.values()];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
