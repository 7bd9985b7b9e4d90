import { gzipSync } from 'node:zlib';
import type { Random } from '../../schedules/random.ts';
import { frameOf, OPCODES } from '../server/raw-frames.ts';
import type { RequestOptions } from '../server/send-request.ts';
import { pick } from './spelling.ts';

type Encoded = Pick<RequestOptions, 'body' | 'headers' | 'chunked'>;

/** Encodings of a body that parsers may read differently. */
const BODY_ENCODINGS: Readonly<Record<string, (text: string, random: Random) => Encoded>> = {
  'UTF-16': (text) => ({
    body: Buffer.from(`\ufeff${text}`, 'utf16le'),
    headers: { 'content-type': 'application/json; charset=utf-16' },
  }),
  'big-endian UTF-16': (text) => ({ body: Buffer.from(`\ufeff${text}`, 'utf16le').swap16() }),
  'a byte order mark': (text) => ({ body: `\ufeff${text}` }),
  'two byte order marks': (text) => ({ body: `\ufeff\ufeff${text}` }),
  gzip: (text) => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
  'said to be gzip': (text) => ({ body: text, headers: { 'content-encoding': 'gzip' } }),
  'another charset': (text) => ({ body: text, headers: { 'content-type': 'application/json; charset=utf-7' } }),
  'a form': (text) => ({ body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  'an urlencoded form': (text) => ({
    body: `events=${encodeURIComponent(text)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  'parts of a form': (text) => ({
    body: `--a\r\nContent-Disposition: form-data; name="events"\r\n\r\n${text}\r\n--a--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=a' },
  }),
  'invalid UTF-8 in a name': (text) => ({ body: cutIn(text, 'e', [0xff]) }),
  'an overlong letter': (text) => ({ body: cutIn(text, 't', [0xc1, 0xb4]) }),
  'invalid UTF-8 at the end': (text) => ({ body: Buffer.concat([Buffer.from(text), Buffer.from([0xe2, 0x80])]) }),
  'another method in a header': (text, random) => ({
    body: text,
    headers: { 'x-http-method-override': pick(random, ['PUT', 'POST']) },
  }),
};

/** Encodes a body, most often in the usual encoding. */
export function encoded(random: Random, text: string): Encoded & { readonly how: string } {
  if (random() < 0.25) {
    const how = pick(random, Object.keys(BODY_ENCODINGS));
    return { how, ...(BODY_ENCODINGS[how] as (typeof BODY_ENCODINGS)[string])(text, random) };
  }
  if (random() < 0.2) return { how: 'in chunks', body: cutAtRandom(random, Buffer.from(text)), chunked: true };
  return { how: 'as usual', body: text };
}

/** Puts lines into frames: one frame each, all in one, cut anywhere, or as binary frames. */
export function framed(
  random: Random,
  lines: readonly string[],
): { readonly how: string; readonly frames: readonly Buffer[] } {
  const ends = pick(random, ['\n', '\n', '\n', '\r\n', '\r', '\u2028', '\n\n', '']);
  const last = pick(random, ['\n', '']);
  const all = lines.join(ends) + last;
  const text = random() < 0.1 ? `\ufeff${all}` : all;
  const kind = random();
  const between = ends === '\n' ? '' : ` with ${JSON.stringify(ends)} between lines`;
  if (kind < 0.5) return { how: `in one frame${between}`, frames: [frameOf(Buffer.from(text))] };
  if (kind < 0.7) return { how: 'in a frame each', frames: lines.map((line) => frameOf(Buffer.from(line + last))) };
  const pieces = cutAtRandom(random, Buffer.from(text));
  if (kind < 0.85)
    return {
      how: `cut over frames${between}`,
      frames: pieces.map((piece) => frameOf(piece, { opcode: OPCODES.binary })),
    };
  return {
    how: `in fragments${between}`,
    frames: pieces.map((piece, index) =>
      frameOf(piece, {
        opcode: index === 0 ? OPCODES.text : OPCODES.continuation,
        isLast: index === pieces.length - 1,
      }),
    ),
  };
}

function cutAtRandom(random: Random, bytes: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random() * Math.max(1, bytes.length / 2));
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** Replaces the first such letter by bytes. */
function cutIn(text: string, letter: string, bytes: readonly number[]): Buffer {
  const at = Math.max(0, text.indexOf(letter));
  return Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at + 1))]);
}
