const MIN_ENTROPY = 2.6;

function entropyBitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

// A part of a compound name: a word, an abbreviation, a number or a version.
const WORD_PART =
  /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|(?:[a-z]+|[A-Z][a-z]*)(?:[A-Z][a-z]+)+|\d{1,4}|v\d{1,3}|[a-z]+\d{1,2})$/;

/** Whether a text looks random: long enough, with mixed characters, and not a compound of words such as `hub_download_v2`. */
export function isRandom(text: string, minLength = 12): boolean {
  if (text.length < minLength) return false;
  // The beginning of a long text is enough to decide whether it looks random.
  const head = text.slice(0, 256);
  if (entropyBitsPerCharacter(head) < MIN_ENTROPY) return false;
  const parts = head.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  const odd = parts.filter((part) => !isWordPart(part));
  return odd.some((part) => part.length >= 4) || odd.length >= 4;
}

function isWordPart(part: string): boolean {
  if (!WORD_PART.test(part)) return false;
  if (/\d/.test(part)) return true;
  // Words are short and contain vowels; camel case contains few capitals.
  const capitals = part.match(/[A-Z]/g)?.length ?? 0;
  if (capitals > 0 && capitals < part.length && part.length / capitals < 2.5) return false;
  if (part.length >= 8 && vowels(part) < 0.13) return false;
  return part.length <= 24 || (part.length < 60 && vowels(part) > 0.2 && part.length / Math.max(capitals, 1) >= 4);
}

function vowels(part: string): number {
  return (part.match(/[aeiou]/gi)?.length ?? 0) / part.length;
}

const TYPES =
  /^(?:strings?|str|text|numbers?|int|integer|bool|boolean|true|false|null|nil|none|undefined|void|any|unknown|object|never|bytes|buffer|uuid|required|optional|yes|no|on|off|enabled|disabled|default|auto|self|this|new|await|async|function|const|let|var|return|typeof|if|else|import|require|include|omit|same-origin|fake|dummy|mock|test|sample|example|demo|foo|bar|basic|bearer|oauth2?|token|password|secret|apikey|api_key|key|value|name|id|type|file|env|environment|vault|keychain|inherit|hidden|masked|missing|invalid|expired|valid|empty|unset|set|and|or|the|a|an|is|was|are|to|for|of|in|with|from|by|must|should|can|cannot|will|has|not|it|as|at|be|via|that|which|when|your|my|our)$/i;
const PLACEHOLDER =
  /^(?:<.*>?|\[.*|\{\{.*|\$.*|%[\w.]*%|\*+|[.…]+|[xX*#•_-]{3,}|.*[xX]{6,}|.*\*{3,}.*|.*\.{3}|.*…|(?:my|your|the|some|insert|enter|replace|put|add)[-_ ].*|your[A-Z].*|.*\b(?:placeholder|changeme|redacted|example-?(?:key|token|secret))\b.*|todo|tbd|fixme|n\/a|sk-\.\.\..*)$/i;

/** Whether a value only stands for a secret. Such a value is a placeholder, a variable, a type, or a mark for a removed secret. */
export function isPlaceholder(value: string): boolean {
  const bare = value.trim();
  if (bare === '' || bare.startsWith('$2') || bare.startsWith('$argon') || bare.startsWith('$6$')) return bare === '';
  return (
    bare.length <= 200 &&
    (TYPES.test(bare) || PLACEHOLDER.test(bare) || /^(?:[A-Z]+_)*(?:API_?KEY|TOKEN|PASSWORD|SECRET|KEY)$/.test(bare))
  );
}

// References to variables, function calls, and member accesses.
const CODE =
  /^(?:[A-Za-z_$][\w$]*\??\.(?:[A-Za-z_$][\w$]*)|[A-Za-z_$][\w$.]*\(|[A-Za-z_$][\w$]*\[|[A-Za-z_$][\w$]*::|[A-Za-z_$][\w$.]*<|\(|\{|!|&|@|=|\||\/\/|\/\*|`\$\{|f["']|async\b|new\b)/;

/** An unquoted value may be an expression in program code. */
export function isCode(value: string): boolean {
  return CODE.test(value) && !isRandom(value.replace(/[([].*/, ''), 20);
}

const IDENTIFIER =
  /^(?:[\^~>=v]{0,2}\d+(?:\.[\dx*]+){1,3}|[a-z]+-[0-9a-f]{6,12}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{7,64}|sha\d+[-:].*|md5[-:].*)$/i;

/** Whether a value is an identifier, such as a UUID, or the hash of a commit or a file. */
export function isIdentifier(value: string): boolean {
  return IDENTIFIER.test(value);
}

/** Whether a value is a file path or a URL. */
export function isPlace(value: string): boolean {
  return (
    /^(?:[.~]{0,2}\/|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]{0,20}:\/\/|file:)/.test(value) &&
    !/^\/[\w+/]{30,}={0,2}$/.test(value)
  );
}

/** Whether a value is a version of a program, or a range of versions. */
export function isVersion(value: string): boolean {
  return /^[\^~>=v]{0,2}\d{1,5}(?:\.[\dx*]{1,5}){1,3}(?:-[a-z]+\.?\d*)?$/.test(value);
}

// Prefixes of ids that services give to their objects, such as messages, calls and runs.
const OBJECT =
  /^(?:msg|toolu|srvtoolu|mcptoolu|req|call|fc|chatcmpl|cmpl|run|step|thread|asst|file|resp|item|sha\d*|md5|session|sess|batch|msgbatch|container|cse|org|user|evt|event|id|uuid|key|index|chunk|vendor|main|page|node|task|job|build|deploy|image|layer|etag|hash|rev|commit|v\d+)$/i;

/** The tokens of most services today have a short prefix and a long random text. */
export function isPrefixedToken(prefix: string, body: string): boolean {
  return (
    !OBJECT.test(prefix) &&
    /\d/.test(body) &&
    /[a-z]/.test(body) &&
    /[A-Z]/.test(body) &&
    entropyBitsPerCharacter(body.slice(0, 256)) > 3.8
  );
}
