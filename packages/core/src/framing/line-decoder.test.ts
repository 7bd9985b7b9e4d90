import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { createLineDecoder, DEFAULT_MAX_LINE_BYTES, type Line, type LineDecoderOptions } from './line-decoder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function linesOf(chunks: readonly (Uint8Array | string)[], options?: LineDecoderOptions): Line[] {
  const decoder = createLineDecoder(options);
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

describe('the end of a line', () => {
  verifies('FRM-3', 'is an LF and no other character', () => {
    const line = 'a\rb\u2028c\u2029d\u0085e\vf\fg\0h';
    expect(linesOf([bytes(`${line}\nnext\n`)])).toEqual([line, 'next']);
    expect(linesOf([`${line}\nnext\n`])).toEqual([line, 'next']);
  });

  verifies(
    ['FRM-4', 'FRM-5', 'FRM-11'],
    'may be CRLF; a BOM at the start, blank lines and lines of blanks are skipped',
    () => {
      expect(linesOf([bytes('\uFEFF{}\r\n\n\r\n \t \n[]\n')])).toEqual(['{}', '[]']);
      expect(linesOf(['\uFEFF{}\r\n\n\r\n \t \n[]\n'])).toEqual(['{}', '[]']);
      expect(linesOf([bytes('\uFEFF\r\n{}')])).toEqual(['{}']);
    },
  );

  test('has at most one CR stripped, and a BOM is stripped only at the start', () => {
    expect(linesOf([bytes('a\r\r\n\uFEFFb\n')])).toEqual(['a\r', '\uFEFFb']);
    expect(linesOf([bytes('\uFEFF\uFEFFa\n')])).toEqual(['\uFEFFa']);
  });

  test('is optional for the last line, and end() resets the decoder', () => {
    const decoder = createLineDecoder();
    expect(decoder.push(bytes('\uFEFFa\nb\r'))).toEqual(['a']);
    expect(decoder.end()).toEqual(['b']);
    expect(decoder.end()).toEqual([]);
    expect(decoder.push(bytes('\uFEFFc\n'))).toEqual(['c']);
  });

  test('push returns the same frozen empty array when no line is complete', () => {
    const decoder = createLineDecoder();
    const none = decoder.push('a');
    expect(none).toEqual([]);
    expect(Object.isFrozen(none)).toBe(true);
    expect(decoder.push(bytes('b'))).toBe(none);
    expect(decoder.push('\n')).toEqual(['ab']);
  });
});

describe('decoding one long line', () => {
  for (const chunkBytes of [1024, 65_536]) {
    verifies('FRAME-1', `32 MiB in chunks of ${chunkBytes} bytes are decoded only once`, () => {
      const total = 32 * 1024 * 1024;
      let decoded = 0;
      const decode = (part: Uint8Array): string => {
        decoded += part.length;
        return Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
      };
      const decoder = createLineDecoder({ decode });
      const chunk = new Uint8Array(chunkBytes).fill(0x61);
      for (let sent = 0; sent < total; sent += chunkBytes) expect(decoder.push(chunk).length).toBe(0);
      const [line] = decoder.push(bytes('\n'));
      expect(line).toHaveLength(total);
      expect(decoded).toBeLessThanOrEqual(total + 1);
    });
  }

  verifies('FRAME-1', 'lines that end within a chunk are decoded less than twice', () => {
    let decoded = 0;
    const decode = (part: Uint8Array): string => {
      decoded += part.length;
      return new TextDecoder().decode(part);
    };
    const decoder = createLineDecoder({ decode });
    const stream = bytes(`${'ä'.repeat(20_000)}\n`.repeat(50));
    let count = 0;
    for (let at = 0; at < stream.length; at += 65_536) count += decoder.push(stream.subarray(at, at + 65_536)).length;
    expect(count).toBe(50);
    expect(decoded).toBeLessThan(2 * stream.length);
  });

  test('at most 48 KB are decoded at once if the text is not ASCII', () => {
    const parts: number[] = [];
    const decoder = createLineDecoder({ decode: (part) => (parts.push(part.length), '') });
    decoder.push(new Uint8Array(100_000));
    expect(parts).toEqual([49_152, 49_152, 1696]);
  });

  test('up to 120 KB are decoded at once after a long line of ASCII', () => {
    const parts: number[] = [];
    const decoder = createLineDecoder({ decode: (part) => (parts.push(part.length), new TextDecoder().decode(part)) });
    const long = bytes(`${'x'.repeat(99_999)}\n`);
    for (const chunk of [long, long, bytes('short line\n'.repeat(10_000)), long]) decoder.push(chunk);
    // After a window that begins with a short line, the next windows are small again.
    expect(parts).toEqual([49_152, 50_848, 100_000, 110_000, 49_152, 50_848]);
  });

  test('small chunks of a long line are decoded together, and an LF among them ends the line at once', () => {
    const parts: number[] = [];
    const decoder = createLineDecoder({ decode: (part) => (parts.push(part.length), new TextDecoder().decode(part)) });
    const chunk = bytes('x'.repeat(64));
    for (let sent = 0; sent < 64; sent++) expect(decoder.push(chunk)).toEqual([]);
    expect(decoder.heldBytes).toBe(4096);
    expect(decoder.push(bytes('y\nnext'))).toEqual([`${'x'.repeat(4096)}y`]);
    expect(decoder.heldBytes).toBe(4);
    expect(parts).toEqual([64, 64, 64, 64, 1984, 1862]);
  });

  test('a small rest of a large chunk is decoded alone, so that the text of the chunk can be released', () => {
    const parts: number[] = [];
    const decoder = createLineDecoder({ decode: (part) => (parts.push(part.length), new TextDecoder().decode(part)) });
    decoder.push(bytes(`${'x'.repeat(40_000)}\nrest`));
    decoder.push(bytes('a small chunk\nrest'));
    expect(parts).toEqual([40_005, 4, 18]);
  });
});

describe('the limit of a line', () => {
  verifies('FRAME-2', 'applies to each line alone, however many lines a chunk has', () => {
    const line = 'x'.repeat(1000);
    const many = bytes(`${line}\n`.repeat(200));
    expect(linesOf([many], { maxLineBytes: 1000 })).toEqual(Array.from({ length: 200 }, () => line));
    expect(linesOf([many], { maxLineBytes: 999 })).toHaveLength(200);
    expect(linesOf([many], { maxLineBytes: 999 }).every((item) => typeof item === 'object')).toBe(true);
  });

  verifies('FRAME-2', 'is 64 MiB by default, and Infinity removes it', () => {
    expect(DEFAULT_MAX_LINE_BYTES).toBe(64 * 1024 * 1024);
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    const chunks = [...Array.from({ length: 64 }, () => chunk), bytes('a\n')];
    expect(linesOf(chunks)).toEqual([
      expect.objectContaining({ kind: 'too-large', bytes: DEFAULT_MAX_LINE_BYTES + 1 }),
    ]);
    const [line] = linesOf(chunks, { maxLineBytes: Number.POSITIVE_INFINITY });
    expect(typeof line === 'string' && line.length).toBe(DEFAULT_MAX_LINE_BYTES + 1);
  });

  verifies(
    'FRAME-3',
    'turns a longer line into one item at its position, drops its bytes, and the next line arrives',
    () => {
      let decoded = 0;
      const decode = (part: Uint8Array): string => {
        decoded += part.length;
        return new TextDecoder().decode(part);
      };
      const decoder = createLineDecoder({ maxLineBytes: 2000, decode });
      expect(decoder.push(bytes(`before\nbegin${'é'.repeat(500)}`))).toEqual(['before']);
      for (let count = 0; count < 100; count++) {
        expect(decoder.push(bytes('z'.repeat(1000)))).toEqual([]);
        expect(decoder.heldBytes).toBeLessThanOrEqual(2000);
      }
      expect(decoded).toBeLessThan(5000);
      expect(decoder.heldBytes).toBe(0);
      const lines = decoder.push(bytes('\nafter\n'));
      const head = `begin${'é'.repeat(251)}`;
      expect(lines).toEqual([
        expect.objectContaining({ kind: 'too-large', bytes: 101_005, limit: 2000, head }),
        'after',
      ]);
    },
  );

  verifies('FRAME-3', 'skips the decoding of a chunk far above it', () => {
    let decoded = 0;
    const decode = (part: Uint8Array): string => {
      decoded += part.length;
      return new TextDecoder().decode(part);
    };
    const lines = linesOf([new Uint8Array(1e6).fill(0x61), bytes('\nafter\n')], { maxLineBytes: 2000, decode });
    expect(lines).toEqual([expect.objectContaining({ bytes: 1e6, head: 'a'.repeat(256) }), 'after']);
    expect(decoded).toBeLessThan(4000);
  });

  verifies('FRAME-3', 'is also reported for the last line of the stream', () => {
    expect(linesOf(['0123456789'], { maxLineBytes: 9 })).toEqual([expect.objectContaining({ bytes: 10, head: '01' })]);
    expect(linesOf(['012345678'], { maxLineBytes: 9 })).toEqual(['012345678']);
  });

  test('is the default if it is NaN, for example parsed from an empty setting', () => {
    expect(linesOf(['a\n'.repeat(9)], { maxLineBytes: Number.NaN })).toHaveLength(9);
  });
});
