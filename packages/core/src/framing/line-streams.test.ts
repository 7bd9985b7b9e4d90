import { verifies } from '@proto/requirements';
import { describe, expect, test } from 'vitest';
import { lineDecoderStream, lineEncoderStream } from './line-streams.ts';

async function through<In, Out>(
  stream: { writable: WritableStream<In>; readable: ReadableStream<Out> },
  ...chunks: In[]
): Promise<Out[]> {
  const writer = stream.writable.getWriter();
  const written = Promise.allSettled([...chunks.map((chunk) => writer.write(chunk)), writer.close()]);
  const out: Out[] = [];
  const reader = stream.readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) out.push(next.value);
  await written;
  return out;
}

describe('web streams', () => {
  test('bytes and text become lines, the last one included', async () => {
    const chunks = [new TextEncoder().encode('\uFEFF{"a":1}\r\n\n{"b'), '":2}\n{', '}'];
    expect(await through(lineDecoderStream(), ...chunks)).toEqual(['{"a":1}', '{"b":2}', '{}']);
  });

  verifies('R-5.3', 'a line above the limit stands in its place', async () => {
    const lines = await through(lineDecoderStream({ maxLineBytes: 3 }), 'abcd\nabc');
    expect(lines).toEqual([expect.objectContaining({ kind: 'too-large', bytes: 4 }), 'abc']);
  });

  verifies('S2-62', 'values become lines with U+2028 escaped', async () => {
    expect(await through(lineEncoderStream(), { a: '\u2028' }, [1])).toEqual(['{"a":"\\u2028"}\n', '[1]\n']);
  });

  test('a value JSON cannot express errors the stream', async () => {
    await expect(through(lineEncoderStream(), undefined)).rejects.toThrow(TypeError);
  });
});
