/** The kinds of files that are not UTF-8 text and have a known form. */
export type FileEncoding = 'utf-16le' | 'utf-16be' | 'utf-32' | 'gzip' | 'zip' | 'bzip2' | 'xz' | 'zstd' | 'sqlite';

const SIGNATURES: readonly (readonly [FileEncoding, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['sqlite', [...new TextEncoder().encode('SQLite format 3\0')]],
  // This must precede UTF-16, because the UTF-16 mark is the beginning of this mark.
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

// To recognise UTF-16 text without a byte order mark, at most this many characters at the beginning are examined.
const UNITS = 32;

/** Returns the form of a file that is not UTF-8 text, by its first bytes; undefined for any other file. */
export function encodingOf(head: Uint8Array): FileEncoding | undefined {
  const signed = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  return signed?.[0] ?? unmarkedUtf16(head);
}

/** Recognises UTF-16 text without a byte order mark. In ASCII characters encoded as UTF-16, every second byte is 0. */
function unmarkedUtf16(head: Uint8Array): FileEncoding | undefined {
  const units = Math.min(head.length >> 1, UNITS);
  if (units < 2) return undefined;
  let little = 0;
  let big = 0;
  for (let index = 0; index < units; index++) {
    const [first, second] = [head[2 * index], head[2 * index + 1]];
    if (second === 0 && first !== 0) little++;
    if (first === 0 && second !== 0) big++;
  }
  if (little * 4 >= units * 3) return 'utf-16le';
  return big * 4 >= units * 3 ? 'utf-16be' : undefined;
}
