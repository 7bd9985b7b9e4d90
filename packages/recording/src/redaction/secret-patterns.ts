/** Where a secret begins and ends in a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

// Words that name a secret. `tokens` is left out: it names a count.
const NAMED =
  '(?:pass(?:word|wd|phrase)|pwd|secret|token(?!s)|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|client[_-]?key|' +
  'session[_-]?key|shared[_-]?key|credential|signature)';
const VALUE = String.raw`(\\*"[^"\n]*?"|\\*'[^'\n]*?'|[^\s"'&;]+)`;

/**
 * The shapes of secrets. The first group of a shape is the secret; a shape without a group is the secret as a whole. The prefixes are published by
 * their issuers for scanners.
 */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/dg,
  // JSON Web Tokens: three parts in base64url, of which the first two are JSON. The last part may be missing.
  /\beyJ[\w-]{6,}\.eyJ[\w-]{6,}(?:\.[\w-]*)?/dg,
  /\bsk-[\w-]{16,}/dg,
  /\b(?:[sr]k_(?:live|test)|whsec|gsk|hf|npm|lin_api|dop_v1|doo_v1|dckr_pat|ntn|sntrys|pscale_tkn|shp(?:at|ss|ca|pa))_[\w-]{10,}/dg,
  /\b(?:gh[pousr]|github_pat)_\w{16,}/dg,
  /\bgl(?:pat|ptt|rt|dt|cbt|soat)-[\w-]{16,}/dg,
  /\b(?:xox[a-z]|xapp|xai|pypi|tskey|ATATT3x)[\w-]*-?[\w=-]{10,}/dg,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg,
  /\bAIza[\w-]{30,}/dg,
  /\bya29\.[\w-]{16,}/dg,
  /\b(?:SG|hvs|hvb)\.[\w-]{16,}(?:\.[\w-]{16,})?/dg,
  /\b(?:SK|AC|key-|dapi)[0-9a-f]{32}\b/dg,
  /\bAGE-SECRET-KEY-1[A-Z0-9]+/dg,
  /\b\d{8,10}:AA[\w-]{30,}/dg,
  /\bhttps:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/([^\s"']+)/dg,
  // Headers with credentials, in any text.
  /\b(?:proxy-)?authorization\\*["']?\s*[:=]\s*\\*["']?(?:\w+\s+)?([^\s"'\\]+)/dgi,
  /\b(?:set-)?cookie\\*["']?\s*:\s*\\*["']?([^\s"'][^\r\n"']*)/dgi,
  /\bbearer\s+((?=\S*\d)[\w.~+/-]{8,}=*)/dgi,
  /\bbasic\s+((?=[\w+/]*[\d=])[\w+/]{8,}={0,2})/dgi,
  // A user with a password in any URL, and any user in a web address.
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s"'/?#:@]*:[^\s"'/?#]+)@/dgi,
  /\bhttps?:\/\/([^\s"'/?#]+)@/dgi,
  /[?&](?:key|code|sig|auth|jwt)=([^&\s"'#]+)/dgi,
  // A secret name, an assignment and a value: variables, members, parameters, connection strings.
  new RegExp(String.raw`${NAMED}\w{0,40}\\*["']?\s*(?:=>|[:=])\s*${VALUE}`, 'dgi'),
  new RegExp(String.raw`(?<![\w-])--?[\w-]{0,40}${NAMED}[\w-]{0,40}[ =]+${VALUE}`, 'dgi'),
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]+(\\*"[^"\n]*"|\\*'[^'\n]*'|[^\s:]+:\S+)/dg,
  /\blogin\s+\S+\s+password\s+(\S+)/dgi,
];

// All shapes in one pattern, for the many texts without a secret. It ignores case; the shapes themselves decide about case.
const ANY = new RegExp(SHAPES.map(({ source }) => source).join('|'), 'i');

/** Every part of a text that looks like a secret. Overlapping parts are all listed. */
export function secretSpans(text: string): readonly Span[] {
  if (!ANY.test(text)) return [];
  return SHAPES.flatMap((shape) =>
    [...text.matchAll(shape)].map(({ indices }) => (indices?.[1] ?? indices?.[0]) as Span),
  );
}

// Compared in lower case, without dashes, dots, underscores and blanks.
const SECRET =
  /(?:authorization|cookie|password|passwd|passphrase|pwd|secret|token|apikey|accesskey|accountkey|privatekey|clientkey|sessionkey|sharedkey|credentials?)$/;
const VARIABLE = /token|secret|passw|passphrase|key|credential|auth|cookie|dsn|private/i;
// Names of places, which are no secrets.
const PLACE = /(?:sock|path|file|dir|home|host|url|xauthority)$/i;
const HARMLESS_HEADERS =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:length|type|encoding|language)|date|host|origin|user-agent|anthropic-(?:version|beta)|x-request-id|last-event-id)$/i;

/** Whether a member with that name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replaceAll(/[-_.\s]/g, ''));
}

/** Whether an environment variable with that name holds a secret. */
export function isSecretVariable(name: string): boolean {
  return VARIABLE.test(name) && !PLACE.test(name);
}

/** Whether a member of that container holds a secret: any environment variable may, and most headers. */
export function isSecretWithin(container: string | undefined, name: string): boolean {
  if (container === 'env' || container === 'environment' || container === 'variables') return true;
  return container === 'headers' && !HARMLESS_HEADERS.test(name);
}
