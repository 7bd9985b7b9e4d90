/** Creates valid or invalid JSON of about so many bytes. */
export type Shape = (bytes: number) => string;

/** Values that may cost a parser or a scanner more than their size suggests. */
export const VALUES = {
  ones: (bytes) => list('1', bytes),
  'empty objects': (bytes) => list('{}', bytes),
  'empty lists': (bytes) => list('[]', bytes),
  'empty texts': (bytes) => list('""', bytes),
  nulls: (bytes) => list('null', bytes),
  floats: (bytes) => list('1.7976931348623157e-308', bytes),
  'small objects': (bytes) => list('{"a":1,"b":[2]}', bytes),
  'one long list of texts': (bytes) => list('"\\u0061"', bytes),
  'distinct names': (bytes) => members((index) => `"k${index}"`, bytes),
  'distinct numbers as names': (bytes) => members((index) => `"${index * 7919}"`, bytes),
  'distinct escaped names': (bytes) => members((index) => `"\\u006b${index}"`, bytes),
  'one name again and again': (bytes) => members(() => '"k"', bytes),
  '__proto__ again and again': (bytes) => members(() => '"__proto__"', bytes),
  'names that hash alike': (bytes) => members((index) => `"${alike(index)}"`, bytes),
  'nested lists': (bytes) => nested('[', '', ']', bytes),
  'nested objects': (bytes) => nested('{"a":', '0', '}', bytes),
  'nested lists with ones': (bytes) => nested('[1,', '1', ']', bytes),
  'nested 900 deep side by side': (bytes) => list(nested('[', '', ']', 1800), bytes),
  text: (bytes) => `"${'a'.repeat(bytes)}"`,
  'wide text': (bytes) => `"${'\u6f22'.repeat(bytes / 3)}"`,
  'line separators': (bytes) => `"${'\u2028'.repeat(bytes / 3)}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(bytes / 2)}"`,
  'escaped backslashes': (bytes) => `"${'\\\\'.repeat(bytes / 2)}"`,
  'escaped letters': (bytes) => `"${'\\u0061'.repeat(bytes / 6)}"`,
  'lone surrogates': (bytes) => `"${'\\ud800'.repeat(bytes / 6)}"`,
  'one long name': (bytes) => `{"${'a'.repeat(bytes)}":0}`,
  'one long escaped name': (bytes) => `{"${'\\u0061'.repeat(bytes / 6)}":0}`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'a long fraction': (bytes) => `0.${'1'.repeat(bytes)}`,
  blanks: (bytes) => `[${' '.repeat(bytes)}]`,
  'line ends between': (bytes) => list('\n1', bytes),
} as const satisfies Record<string, Shape>;

/** Invalid JSON: a scanner must not search repeatedly for an end that does not come. */
export const BROKEN = {
  'open lists': (bytes) => '['.repeat(bytes),
  'open objects': (bytes) => '{"a":'.repeat(bytes / 5),
  'an open text': (bytes) => `"${'a'.repeat(bytes)}`,
  'an open text of backslashes': (bytes) => `"${'\\'.repeat(bytes)}`,
  'closing brackets': (bytes) => ']'.repeat(bytes),
  quotes: (bytes) => '"'.repeat(bytes),
  commas: (bytes) => ','.repeat(bytes),
  colons: (bytes) => ':'.repeat(bytes),
  'nul characters': (bytes) => '\0'.repeat(bytes),
} as const satisfies Record<string, Shape>;

/** Many small entries of the list of a POST. */
export const ENTRIES = {
  'entries that are numbers': (bytes) => list('1', bytes),
  'empty entries': (bytes) => list('{}', bytes),
  'entries with an empty payload': (bytes) => list('{"payload":{}}', bytes),
  'small messages': (bytes) => list('{"payload":{"type":"user"}}', bytes),
  'small messages in disguise': (bytes) => list('{"\\u0070ayload":{"type":"user"}}', bytes),
  'keep-alives': (bytes) => list('{"payload":{"type":"keep_alive"}}', bytes),
  'messages of one id': (bytes) => list('{"payload":{"type":"user","uuid":"u"}}', bytes),
  requests: (bytes) =>
    listOf((index) => `{"payload":{"type":"control_request","request_id":"r${index}","request":{}}}`, bytes),
  'answers to one request': (bytes) => list(`{"payload":${answer('open')}}`, bytes),
  'answers to requests that are not open': (bytes) => listOf((index) => `{"payload":${answer(`r${index}`)}}`, bytes),
  cancellations: (bytes) =>
    listOf((index) => `{"payload":{"type":"control_cancel_request","request_id":"r${index}"}}`, bytes),
  'increments that are not kept': (bytes) => list('{"payload":{"type":"stream_event"},"ephemeral":true}', bytes),
  'rows of subagents': (bytes) =>
    listOf((index) => `{"payload":{"type":"user"},"session_agent_id":"a${index}"}`, bytes),
  'marks of delivery': (bytes) => listOf((index) => `{"event_id":"e${index}","status":"received"}`, bytes),
} as const satisfies Record<string, Shape>;

/** Many plain lines. */
export const LINES = {
  'lines that are numbers': (bytes) => '1\n'.repeat(bytes / 2),
  'empty lines': (bytes) => '\n'.repeat(bytes),
  'carriage returns': (bytes) => '\r\n'.repeat(bytes / 2),
  'empty objects as lines': (bytes) => '{}\n'.repeat(bytes / 3),
  'keep-alive lines': (bytes) => repeated('{"type":"keep_alive"}\n', bytes),
  'auth lines': (bytes) => repeated('{"type":"auth"}\n', bytes),
  'lines of small messages': (bytes) => repeated('{"type":"user"}\n', bytes),
  'lines of one id': (bytes) => repeated('{"type":"user","uuid":"u"}\n', bytes),
  'lines of increments': (bytes) => repeated('{"type":"stream_event"}\n', bytes),
  'lines of requests': (bytes) => linesOf((n) => `{"type":"control_request","request_id":"r${n}","request":{}}`, bytes),
  'lines of answers': (bytes) => linesOf((n) => answer(`r${n}`), bytes),
  'lines of answers to one request': (bytes) => repeated(`${answer('open')}\n`, bytes),
  'lines of acknowledgements': (bytes) => linesOf((n) => `{"ack":${n}}`, bytes),
  'lines of ends': (bytes) => repeated('{"end":0}\n', bytes),
  'lines of notices': (bytes) => repeated('{"event":"a","data":0}\n', bytes),
  'lines with numbers': (bytes) => linesOf((n) => `{"id":${n + 1},"data":{"type":"user"}}`, bytes),
  'keep-alive lines with numbers': (bytes) => linesOf((n) => `{"id":${n + 1},"data":{"type":"keep_alive"}}`, bytes),
  'broken lines with numbers': (bytes) => linesOf((n) => `{"id":${n + 1},"data":`, bytes),
  'lines of one number': (bytes) => repeated('{"id":1,"data":{"type":"user"}}\n', bytes),
} as const satisfies Record<string, Shape>;

/** Creates a valid answer to a permission request. */
export function answer(requestId: string): string {
  return `{"type":"control_response","response":{"subtype":"success","request_id":"${requestId}","response":{"behavior":"allow"}}}`;
}

function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, bytes / unit.length));
}

function list(unit: string, bytes: number): string {
  return `[${repeated(`${unit},`, bytes)}${unit}]`;
}

function listOf(unit: (index: number) => string, bytes: number): string {
  return `[${unitsOf(unit, bytes).join()}]`;
}

function linesOf(unit: (index: number) => string, bytes: number): string {
  return `${unitsOf(unit, bytes).join('\n')}\n`;
}

function members(name: (index: number) => string, bytes: number): string {
  return `{${unitsOf((index) => `${name(index)}:0`, bytes).join()}}`;
}

function unitsOf(unit: (index: number) => string, bytes: number): readonly string[] {
  const units: string[] = [];
  for (let length = 0; length < bytes; length += (units.at(-1) as string).length + 1) units.push(unit(units.length));
  return units;
}

function nested(open: string, inner: string, close: string, bytes: number): string {
  const depth = Math.max(1, Math.floor(bytes / (open.length + close.length)));
  return open.repeat(depth) + inner + close.repeat(depth);
}

/** Names that collide in a hash that sums their letters. */
function alike(index: number): string {
  return Array.from({ length: 20 }, (_, bit) => ((index >> bit) & 1 ? 'Aa' : 'BB')).join('');
}
