import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedLines } from './numbered-lines.ts';
import { parseRecording } from './recording.ts';

async function* inPieces(all: Uint8Array, size: number) {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

test('NULs before, between and after records are in no line, wherever the bytes are cut, and lines keep their numbers and places', async () => {
  const part = fc.constantFrom('{"n":1}', '{"é":"€"}', '\0', '\0\0\0\0', '\n', '\r\n', ' ', 'x'.repeat(20));
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const text = parts.join('');
      const all = new TextEncoder().encode(text);
      const wanted = text.split('\n').flatMap((line, index) =>
        line
          .split('\0')
          .map((record) => record.replace(/\r$/, ''))
          .filter((record) => record.trim() !== '')
          .map((record) => [index + 1, record]),
      );
      const found = [];
      for await (const { number, offset, bytes, line } of numberedLines(inPieces(all, size))) {
        found.push([number, line]);
        expect(new TextDecoder().decode(all.subarray(offset, offset + bytes)).replace(/\r$/, '')).toBe(line);
      }
      expect(found).toEqual(wanted);
    }),
  );
});

test('a block of NULs above the longest line costs no record', async () => {
  const all = new TextEncoder().encode(`${'\0'.repeat(1000)}{"n":1}${'\0'.repeat(1000)}`);
  const found = [];
  for await (const line of numberedLines(inPieces(all, 300), { maxLineBytes: 100 })) found.push(line);
  expect(found).toEqual([{ number: 1, offset: 1000, bytes: 7, line: '{"n":1}' }]);
});

test('a recording is parsed with a byte order mark and CRLF', () => {
  const header = { recording: 1, side: 'host', redacted: false };
  const text = `\uFEFF${JSON.stringify(header)}\r\n{"t":1,"closed":"local"}\r\n`;
  expect(parseRecording(text)).toEqual({ header, entries: [{ t: 1, closed: 'local' }] });
});

test('a recording is parsed, whatever NULs are between its entries', () => {
  const header = { recording: 1, side: 'host', redacted: false };
  const [one, two] = [1, 2].map((t) => ({ t, dir: 'from-agent', line: '{}' }));
  const [first, second, third] = [header, one, two].map((entry) => JSON.stringify(entry));
  const recording = parseRecording(`\0\0${first}\0\0${second}\n\0\n\0${third}\0\n\0\0`);
  expect(recording).toEqual({ header, entries: [one, two] });
  expect(() => parseRecording(`${first}\n\0torn\0${second}`)).toThrow('line 2: it is not JSON');
});
