import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileKindOf, LOOKED_AT_BYTES } from './file-kind.ts';

const MESSAGE = '{"type":"keep_alive"}';
const RESULT = '{"type":"result","subtype":"success","result":"a,b"}';
const ENTRY = '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}';
const HAR = { log: { version: '1.2', creator: { name: 'x' }, entries: [{ request: { type: 'x' } }] } };
const NULS = '\0'.repeat(100);

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const utf16be = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const pretty = (value: unknown, indent: string | number = 2) => JSON.stringify(value, null, indent);
const messages = Array.from({ length: 3 }, (_, n) => ({ type: 'assistant', text: `${n}` }));

const CASES: readonly (readonly [kind: string, what: string, file: string | Uint8Array])[] = [
  ['messages', 'one message', MESSAGE],
  ['messages', 'lines, after a BOM, with CRLF', `\uFEFF${MESSAGE}\r\n${MESSAGE}\r\n`],
  ['messages', 'a result after another message', `${MESSAGE}\n${RESULT}\n`],
  ['messages', 'two results', `${RESULT}\n${RESULT}\n`],
  ['messages', 'text before the first message', `Warning: deprecated\n\n${MESSAGE}\n`],
  ['messages', 'a torn line before the first message', `{"type":"ass\n${MESSAGE}\n`],
  ['messages', 'nothing but torn lines', '{"type":"ass\n{"type":"us\n'],
  ['messages', 'NULs around messages', `${NULS}${MESSAGE}${NULS}${MESSAGE}\n`],
  ['recording', 'a recording', '{"recording":1,"side":"host","redacted":false}\n'],
  ['empty', 'an empty file', ''],
  ['empty', 'blank lines', ' \r\n\n'],
  ['only-nuls', 'NULs', `${NULS}\n${NULS}`],
  ['utf-16le', 'UTF-16 with a mark', utf16(`\uFEFF${MESSAGE}\r\n`)],
  ['utf-16le', 'UTF-16 without a mark', utf16(`${MESSAGE}\r\n`)],
  ['utf-16be', 'big-endian UTF-16 with a mark', utf16be(`\uFEFF${MESSAGE}\n`)],
  ['utf-16be', 'big-endian UTF-16 without a mark', utf16be(MESSAGE)],
  ['utf-32', 'UTF-32', new Uint8Array([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0])],
  ['gzip', 'gzip', new Uint8Array(gzipSync(MESSAGE))],
  ['zip', 'a ZIP archive', new Uint8Array([0x50, 0x4b, 3, 4, ...deflateRawSync(MESSAGE)])],
  ['sqlite', 'a database', utf8(`SQLite format 3\0${NULS}`)],
  [
    'binary',
    'a picture',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]),
  ],
  ['transcript', 'a transcript', `${ENTRY}\n`],
  [
    'transcript',
    'a transcript that begins with a summary',
    `{"type":"summary","summary":"x","leafUuid":"u"}\n${ENTRY}\n`,
  ],
  [
    'transcript',
    'a transcript with an operation first',
    '{"type":"queue-operation","operation":"enqueue","sessionId":"s"}\n',
  ],
  ['result', 'a result alone', `${RESULT}\n`],
  ['array-of-messages', 'an array', JSON.stringify(messages)],
  ['array-of-messages', 'a pretty-printed array', pretty(messages)],
  ['array-of-messages', 'a pretty-printed array with tabs', pretty(messages, '\t')],
  ['array-of-messages', 'a long array', JSON.stringify(Array(5000).fill(messages[0]))],
  ['array-of-messages', 'a long pretty-printed array', pretty(Array(5000).fill(messages[0]))],
  ['pretty-printed', 'a pretty-printed result', pretty(JSON.parse(RESULT))],
  ['pretty-printed', 'several pretty-printed messages', messages.map((one) => pretty(one)).join('\n')],
  ['pretty-printed', 'many pretty-printed messages', Array(5000).fill(pretty(messages[0])).join('\n')],
  ['other-json-lines', 'lines without a type', '{"seq":1,"line":"x"}\n{"seq":2,"line":"y"}\n'],
  ['other-json-lines', 'many lines without a type', '{"level":30,"msg":"started"}\n'.repeat(5000)],
  ['har', 'a HAR file', pretty(HAR)],
  ['har', 'a HAR file in one line', JSON.stringify(HAR)],
  ['har', 'a long HAR file', pretty({ log: { entries: Array(5000).fill(HAR) } })],
  ['json', 'a pretty-printed manifest', pretty({ name: 'x', version: '1' })],
  ['json', 'an object', '{"name":"x"}\n'],
  ['json', 'a list of numbers', '[1,2]'],
  ['csv', 'CSV', 'a,b,c\n1,2,3\n4,5,6\n'],
  ['csv', 'a table with tabs', 'a\tb\n1\t2\n'],
  ['text', 'prose', 'Hello, world.\nThis is text, with commas, and so on.\n'],
  ['text', 'a log with brackets', '[info] started\n[info] stopped\n'],
  ['text', 'long prose', 'Hello. '.repeat(20_000)],
];

test.each(CASES)('%s: %s', (kind, _, file) => {
  const all = typeof file === 'string' ? utf8(file) : file;
  expect(fileKindOf(all.subarray(0, LOOKED_AT_BYTES), all.length < LOOKED_AT_BYTES)).toBe(kind);
});

test.each(CASES)('%s, %s: is not taken for another kind before enough of it is read', (kind, _, file) => {
  const all = typeof file === 'string' ? utf8(file) : file;
  const last = Math.min(all.length - 1, LOOKED_AT_BYTES);
  for (let length = 0; length <= last; length += length < 400 ? 1 : Math.ceil(length / 10)) {
    expect([kind, undefined]).toContain(fileKindOf(all.subarray(0, length), false));
  }
});

test('the search always ends at the limit', () => {
  const parts = ['{', '[', '"type":', '"', ',', '\n', '\0', ' ', 'x', '1', MESSAGE, '\uFEFF'];
  const starts = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)));
  for (const start of starts) {
    const long = utf8(start + 'x'.repeat(LOOKED_AT_BYTES)).subarray(0, LOOKED_AT_BYTES);
    expect(fileKindOf(long, false)).toBeTypeOf('string');
    expect(fileKindOf(utf8(start), true)).toBeTypeOf('string');
  }
});
