import { base64Secrets } from './base64-texts.ts';
import { ISSUER_RULES, type IssuerRule } from './issuer-rules.ts';
import { isIdentifier, isPlaceholder, isPrefixedToken, isRandom } from './likely-secret.ts';
import { keyRuns, type TextRange } from './key-runs.ts';
import { namedValues } from './named-values.ts';
import { type TextView, viewsOf } from './text-views.ts';

/** A form of secret that is recognised by its context. The secret is the first group of the pattern or, without a group, the whole match. */
export interface Shape {
  /**
   * A text without this mark contains no secret of this form. The mark is a lower-case string, or a pattern that is much faster than the full
   * pattern.
   */
  readonly mark: string | RegExp;
  readonly pattern: RegExp;
  /** If absent, every match is a secret. */
  readonly isSecret?: (found: string) => boolean;
}

const isReal = (found: string) => !isPlaceholder(found);
const hasMix = (found: string) =>
  isReal(found) && /\d|[^\w.-]|[a-z][A-Z]/.test(found) && (found.length >= 16 || !/^[a-z]+\d{0,2}$/.test(found));

/**
 * Every repetition in these patterns consists of one character class. A repetition is bounded, or ends at the first character outside the class, so
 * that matching takes linear time.
 */
export const SHAPES: readonly Shape[] = [
  {
    mark: '-----begin ',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]{0,40}-----)?/dg,
  },
  { mark: 'putty-user-key', pattern: /Private-Lines: \d{1,6}\s{1,4}([\w+/=\s]+)/dg },
  { mark: ':aa', pattern: /(?<!\d)\d{8,10}:AA[\w-]{30,}/dg },
  { mark: 'hooks.slack.com/', pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+-]+)/dg },
  { mark: '/api/webhooks/', pattern: /discord(?:app)?\.com\/api\/webhooks\/([\w/-]+)/dg },
  { mark: 'webhook.office.com/', pattern: /webhook\.office\.com\/(webhookb2\/[\w/@-]+)/dg },
  // Credentials in headers. The scheme is kept.
  {
    mark: 'authorization',
    pattern:
      /authorization\\{0,16}["']?\s{0,8}[:=,]\s{0,8}\\{0,16}["']?(?:(?:bearer|basic|token|apikey|bot|key|digest|negotiate|ntlm|hawk|aws4-hmac-sha256|[A-Za-z]{2,20}) {1,8})?([^\s"'`\\<>${}]{6,})/dgi,
    isSecret: hasMix,
  },
  {
    mark: 'cookie',
    pattern: /cookie\\{0,16}["']?: {0,8}\\{0,16}["']?([^\s"'\\=]{1,128}=[^\r\n"'\\]*)/dgi,
    isSecret: isReal,
  },
  {
    mark: 'bearer',
    pattern: /bearer\s{1,8}([\w.~+/-]{8,}=*)/dgi,
    isSecret: (found) => isReal(found) && (/\d/.test(found) ? hasMix(found) : isRandom(found, 16)),
  },
  { mark: 'basic', pattern: /basic\s{1,8}([\w+/-]{8,}={0,2})/dgi, isSecret: isBasicCredentials },
  // A user with a password in any URL, or any user in a web address.
  {
    mark: '://',
    pattern: /:\/\/([^\s"'`/?#:@<>${}\\]{0,200}:[^\s"'`/?#<>\\]{1,400})@/dg,
    isSecret: (found) => isReal(found.slice(found.indexOf(':') + 1)),
  },
  {
    mark: '://',
    pattern: /:\/\/([^\s"'`/?#<>\\:]{0,200}:[^\s"'`<>\\]{1,200})@[\w.-]+(?::\d+)?\//dg,
    isSecret: (found) => !/^[\w.-]*:\d{1,5}(?:\/|$)/.test(found) && isReal(found.slice(found.indexOf(':') + 1)),
  },
  { mark: '://', pattern: /https?:\/\/([^\s"'`/?#@:<>${}\\]{1,400})@/dgi, isSecret: (found) => isReal(found) },
  {
    mark: '=',
    pattern:
      /[?&](?:key|code|sig|auth|jwt|sv_sig|access_key|X-Amz-Signature|X-Amz-Security-Token|hmac|st|pw|p)=([^&\s"'#\\<>]{6,})/dgi,
    isSecret: (found) => isReal(found) && !isIdentifier(found) && isRandom(found, 8),
  },
  {
    mark: '=',
    pattern: /[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|X-Amz-Security-Token|sig)=([^&\s"'#\\<>]{16,})/dgi,
  },
  {
    mark: '-u',
    pattern:
      /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{1,8}\\{0,16}["']?([\w.@+-]+:(?!\/\/|\d+(?:[\s"']|$))[^\s"'\\]{3,})/dg,
    isSecret: (found) => isReal(found.slice(found.indexOf(':') + 1)),
  },
  { mark: 'password', pattern: /login\s{1,8}\S{1,100}\s{1,8}password\s{1,8}([^\s"'\\]+)/dgi, isSecret: isReal },
  {
    mark: 'machine',
    pattern: /machine\s{1,8}\S{1,200}[^\n]{0,200}?\spassword\s{1,8}([^\s"'\\]+)/dgi,
    isSecret: isReal,
  },
  {
    mark: 'password',
    pattern: /(?:^|\n)[ \t+|:→\d-]{0,40}password[ \t]{1,8}([^\s"'\\]{4,})[ \t]*(?=\r?\n|$)/dg,
    isSecret: hasMix,
  },
  // Programs that accept a password after `-p` or `-a`.
  { mark: ' -p', pattern: /\s-p(?:\\{0,16}')([^'\n\\]{4,200})/dg, isSecret: isReal },
  {
    mark: /\s-[paPw]/,
    pattern:
      /\b(?:mysql\w{0,12}|mariadb\w{0,12}|sshpass|redis-cli|docker login|podman login|helm registry login|az login|7z[az]?|zip|unzip|ldapsearch|smbclient|sqlcmd|bcp|mongosh?|mongodump|nats|http|https|xh)\b[^\n|;&]{0,160}?\s-(?:p|a|P|w)(?! ?-| ?\d{1,5}\b)\s?\\{0,16}["']?([^\s"'\\]{4,})/dg,
    isSecret: (found) => isReal(found) && /[^a-z/-]/.test(found),
  },
  { mark: 'pass:', pattern: /-pass(?:in|out)? pass:([^\s"'\\]+)/dg },
  {
    mark: 'identified',
    pattern: /identified\s{1,8}(?:with\s{1,8}\S{1,40}\s{1,8})?by\s{1,8}(?:password\s{1,8})?\\{0,16}['"]([^'"\n\\]+)/dgi,
    isSecret: isReal,
  },
  { mark: 'password', pattern: /\bpassword\s{1,8}\\{0,16}'([^'\n\\]{4,})'/dgi, isSecret: isReal },
  // .pgpass: host, port, database, user and password.
  {
    mark: /:(?:\d{4,5}|\*):/,
    pattern: /(?<![\w.*:-])[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*-]{1,64}:([^\s"'\\:]{4,})/dg,
    isSecret: isReal,
  },
  { mark: 'accountkey=', pattern: /AccountKey=([\w+/=%-]{20,})/dgi },
  { mark: 'sharedaccess', pattern: /Shared ?Access ?(?:Key|Signature)=([\w+/=%&-]{16,})/dgi },
  { mark: 'secret', pattern: /"(?:value|password)\\{0,16}"\s{0,8}value=\\{0,16}"([^"\\]{6,})/dgi },
  {
    mark: '<add key=',
    pattern:
      /<add key=\\{0,16}"[\w.:-]{0,60}(?:password|secret|token|apikey)\\{0,16}"\s{1,8}value=\\{0,16}"([^"\\]{4,})/dgi,
    isSecret: isReal,
  },
  {
    mark: '<',
    pattern: /<(?:[\w.:-]{0,40}(?:password|passwd|passphrase|secret|token|apikey))>([^<\s]{4,})<\//dgi,
    isSecret: isReal,
  },
  {
    mark: /_[A-Za-z0-9]{28}/,
    pattern: /(?<![\w+/.-])[A-Za-z][A-Za-z0-9]{1,7}_[A-Za-z0-9]{28,}(?![\w+/-])/dg,
    isSecret: (found) => isPrefixedToken(found.slice(0, found.indexOf('_')), found.slice(found.indexOf('_') + 1)),
  },
  // Discord: the first part is a base64-encoded number.
  {
    mark: /\.[\w-]{6}\./,
    pattern: /(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}/dg,
    isSecret: (found) => isRandom(found),
  },
  { mark: 'q~', pattern: /(?<![\w.~-])[\w.~]{3}\dQ~[\w.~-]{31,34}/dg },
];

/** Unless the rule is `loose`, the prefix must not follow a letter or a digit. */
export function patternOf({ prefix, rest, mode }: IssuerRule): RegExp {
  const literal = prefix.replaceAll(/[$.]/g, String.raw`\$&`);
  return new RegExp(`${mode === 'loose' ? '' : '(?<![A-Za-z0-9])'}${literal}(?:${rest})`, 'dg');
}

const RULES = ISSUER_RULES.map((rule) => ({ ...rule, pattern: patternOf(rule) }));
// Short prefixes are common in ordinary text. A short prefix of a real key is followed by at least ten key characters, so it is part of a run of them.
const MIN_KEY_LENGTH = 12;
const ANY_PREFIX = new RegExp(
  String.raw`(?:${[...new Set(ISSUER_RULES.map(({ prefix }) => prefix.replaceAll(/[$.]/g, String.raw`\$&`)))].toSorted().join('|')})(?=[\w.+/=$-]{10})`,
  'g',
);
// A text without any of these marks contains no secret that is recognised by its context or name.
const ANY_MARK =
  /-----BEGIN |PuTTY|:AA|:\/\/|[=:] ?\S|basic|bearer|\s-[A-Za-z-]|login|machine|<\w|identified|pass|secret|token|key|\.[\w-]{6}\.|_[A-Za-z0-9]{28}|Q~/i;
// Most texts in the protocol are a short word or a UUID, not a secret.
const ORDINARY = /^(?:[\w-]{0,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The spans may overlap. */
export function secretSpans(text: string): readonly TextRange[] {
  if (text.length < 40 && ORDINARY.test(text)) return [];
  return viewsOf(text).flatMap((view) =>
    [...spansOf(view.text), ...base64Secrets(view.text, (decoded) => directSpans(decoded).length > 0)].map((span) =>
      inText(span, view),
    ),
  );
}

function directSpans(text: string): readonly TextRange[] {
  return viewsOf(text).flatMap((view) => spansOf(view.text).map((span) => inText(span, view)));
}

function inText([start, end]: TextRange, view: TextView): TextRange {
  return [view.at(start), view.at(end, true)];
}

function spansOf(text: string): readonly TextRange[] {
  const spans: TextRange[] = [];
  for (const span of issuedSpans(text)) spans.push(span);
  if (!ANY_MARK.test(text)) return spans;
  const lower = text.toLowerCase();
  for (const { mark, pattern, isSecret } of SHAPES) {
    if (typeof mark === 'string' ? !lower.includes(mark) : !mark.test(text)) continue;
    for (const { 0: whole, 1: group, indices } of text.matchAll(pattern)) {
      if (isSecret?.(group ?? whole) !== false) spans.push((indices?.[1] ?? indices?.[0]) as TextRange);
    }
  }
  for (const span of namedValues(text)) spans.push(span);
  return spans;
}

function issuedSpans(text: string): readonly TextRange[] {
  const spans: TextRange[] = [];
  // One search for all prefixes is much cheaper than one search for each. A prefix hides longer prefixes that begin with it, and shorter prefixes within it.
  const hits = new Set<string>();
  const keys = keyRuns(text, MIN_KEY_LENGTH).map(([start, end]) => text.slice(start, end));
  for (const [prefix] of keys.join('\n').matchAll(ANY_PREFIX)) hits.add(prefix);
  if (hits.size === 0) return spans;
  for (const { prefix, mode, pattern } of RULES) {
    if (![...hits].some((hit) => prefix.startsWith(hit) || hit.includes(prefix))) continue;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (mode === 'exact' || isRandom(found.slice(prefix.length), 10)) spans.push([index, index + found.length]);
    }
  }
  return spans;
}

function isBasicCredentials(found: string): boolean {
  if (!/[\d=]|[a-z][A-Z]/.test(found) || (/^[a-z]+\d{0,3}$/i.test(found) && found.length % 4 !== 0)) return false;
  try {
    return /^[\u0020-\u007E]*:[\u0020-\u007E]*$/.test(atob(found.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return false;
  }
}
