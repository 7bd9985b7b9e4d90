import { describe, expect, test } from 'vitest';

import { HostOutput } from './host-output.ts';

/** The lines of the whole output of a host, given in these pieces. */
function linesOf(...pieces: readonly (string | readonly number[])[]) {
  const output = new HostOutput();
  const lines = pieces.flatMap((piece) =>
    output.push(typeof piece === 'string' ? Buffer.from(piece) : Uint8Array.from(piece)),
  );
  return [...lines, ...output.end()].map((line) => ('spec' in line ? line.spec : line.message));
}

describe('HostOutput', () => {
  test('cuts at LF only, wherever the pieces end', () => {
    const bytes = [...Buffer.from('{"a":"ü\u2028"}\n{"b":1} \n')];
    expect(linesOf(...bytes.map((byte) => [byte]))).toEqual([{ a: 'ü\u2028' }, { b: 1 }]);
    expect(linesOf(bytes)).toEqual([{ a: 'ü\u2028' }, { b: 1 }]);
  });

  test.each([
    ['text', 'debug\n', 'FRM-1'],
    ['an empty line', '\n', 'FRM-1'],
    ['an array', '[]\n', 'FRM-1'],
    ['null', 'null\n', 'FRM-1'],
    ['two objects', '{}{}\n', 'FRM-1'],
    ['an object without LF at the end', '{}', 'FRM-1'],
    ['a byte order mark', '\uFEFF{}\n', 'FRM-2'],
    ['Latin-1', [0x7b, 0x22, 0xfc, 0x22, 0x3a, 0x31, 0x7d, 0x0a], 'FRM-2'],
  ])('refuses %s', (_what, line, spec) => {
    expect(linesOf(line)).toEqual([spec]);
  });

  test('takes a line that ends with CR and LF as a message, and reports the CR', () => {
    expect(linesOf('{"a":1}\r\n')).toEqual(['FRM-29', { a: 1 }]);
  });

  test('reports a whole message that has no end yet', () => {
    const output = new HostOutput();
    output.push(Buffer.from('{"a":1'));
    expect(output.unfinished()).toEqual([]);
    output.push(Buffer.from('}'));
    expect(output.unfinished()).toMatchObject([{ spec: 'FRM-1' }]);
  });

  test('goes on after a line that is refused', () => {
    expect(linesOf('debug\n{"a":1}\n')).toEqual(['FRM-1', { a: 1 }]);
  });
});
