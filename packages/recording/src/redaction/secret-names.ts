/**
 * What a name reveals about its value. `secret`: the value is a secret. `maybe`: the value is a secret if it looks random. `nothing`: the name
 * reveals nothing.
 */
export type NameWeight = 'secret' | 'maybe' | 'nothing';

// Names are compared in lower case, without dashes, dots, underscores and blanks.
const SECRET =
  /(?:authorization|cookies?|password|passwords|passwd|passphrase|passcode|passwort|pwd|secrets?|token|apitokens|authtokens|apikeys?|(?:access|account|private|client|session|shared|secret|encryption|encrypt|decryption|signing|sign|master|auth|license|storage|service|servicerole|hmac|jwt|deploy|webhook|integration|app|application|user|admin|root|subscription|personal|rest|write|ingest|vault|aes|cipher|ssh|gpg|pgp|rsa|tls|ssl)keys?|keybase|keydata|credentials?|creds|bearer|mnemonic|seedphrase|connectionstring|connstr|xapikey|dsn|otp)$/;
const MAYBE =
  /(?:auth|key|pass|pw|sig|signature|salt|nonce|seed|hash|session|sessionid|sid|jwt|code|webhook|pin|cred|proof|assertion|ticket|keys)$/;
// `pass` or `pw` at the end of a longer word, such as `compass`, does not count.
const PASS = /(?:^|[-_.\sa-z0-9])(?:PASS|Pass|PW|Pw|PSK)$|(?:^|[-_.\s])(?:pass|pw|psk|PASS|PW|PSK)$/;
const ENVIRONMENT_KEY = /^[A-Z][A-Z0-9_]*_KEY$/;
// If one of these words precedes `key` or `token`, the value is not a secret.
const OTHER =
  /(?:^|_)(?:public|primary|foreign|cache|sort|partition|object|composite|unique|idempotency|routing|hot|short|index|lookup|dict|map|no|next|page|cursor|continuation|pad|eos|bos|unk|mask|cls|sep|special|stop|max|min|num|total|per|input|output|prompt|completion|by|of|is|has|arrow|enter|group|translation|i18n|locale|source|status|exit|error|country|zip|postal|color|qr)_(?:key|token|auth|code|hash|session|pass|signature|sig)s?$/;
const SUFFIX =
  /(?:[-_.](?:\d+|base64|b64|data|value|val|prod|production|dev|staging|test|live|old|new|raw|plain|primary|secondary|main|backup|enc|encrypted|str)|(?:Base64|Value|Prod|Data|\d+))$/i;

const known = new Map<string, NameWeight>();
// A session uses few names. The limit prevents a peer that invents names from filling the memory.
const MAX_KNOWN = 4096;
const MAX_NAME_LENGTH = 100;

/** Returns what the name of a member, a variable, a parameter or a flag reveals about its value. */
export function weightOf(name: string): NameWeight {
  if (name.length > MAX_NAME_LENGTH) return 'nothing';
  const before = known.get(name);
  if (before !== undefined) return before;
  const weight = weigh(name);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, weight);
  return weight;
}

function weigh(name: string): NameWeight {
  const direct = weighWhole(name);
  if (direct !== 'nothing') return direct;
  const stem = name.replace(SUFFIX, '').replace(SUFFIX, '');
  return stem === name ? 'nothing' : weighWhole(stem);
}

function weighWhole(name: string): NameWeight {
  const plain = name.toLowerCase().replaceAll(/[-_.\s[\]$]/g, '');
  if (OTHER.test(snakeOf(name))) return 'nothing';
  if (SECRET.test(plain) || PASS.test(name) || ENVIRONMENT_KEY.test(name)) return 'secret';
  return MAYBE.test(plain) ? 'maybe' : 'nothing';
}

function snakeOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.\s]/g, '_')
    .toLowerCase();
}

const VARIABLE = /token|secret|passw|passphrase|key|credential|auth|cookie|dsn|private|_pass$|^pass$|_pw$/i;
// Names of locations, such as files and addresses. Locations are not secrets.
const PLACE = /(?:sock|path|file|dir|home|host|url|xauthority)$/i;
const HARMLESS_HEADERS =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:length|type|encoding|language)|date|host|origin|user-agent|anthropic-(?:version|beta)|x-request-id|last-event-id)$/i;

/** Whether an environment variable with this name contains a secret. */
export function isSecretVariable(name: string): boolean {
  return VARIABLE.test(name) && !PLACE.test(name);
}

/** All environment variables and most headers may contain secrets. */
export function isSecretWithin(container: string | undefined, name: string): boolean {
  if (container === 'env' || container === 'environment' || container === 'variables') return true;
  return container === 'headers' && !HARMLESS_HEADERS.test(name);
}
