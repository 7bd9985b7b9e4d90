import { PassThrough } from 'node:stream';
import { createLineDecoder, type Line } from '@proto/core/framing';
import { flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRawDecoder, createMultilineDecoder } from './output-decoders.ts';
import { spawnAgent } from './spawn-agent.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** Decodes a text that arrives in pieces of `size` bytes. */
function decode(text: string, { maxLineBytes, size = 7 }: { maxLineBytes?: number; size?: number } = {}): Line[] {
  const decoder = createMultilineDecoder(maxLineBytes === undefined ? {} : { maxLineBytes });
  const bytes = Buffer.from(text);
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length; at += size) lines.push(...decoder.push(bytes.subarray(at, at + size)));
  return [...lines, ...decoder.end()];
}

const MESSAGE = { type: 'a', text: 'one "two" \\ {[', list: [{ type: 'b' }, []], more: { n: 1 } };
const NEXT = '{"type":"next"}';

describe('a message over several lines', () => {
  verifies('FRAME-5', 'is buffered until it parses, is then one line, and clears the buffer', () => {
    const laidOut = JSON.stringify(MESSAGE, null, 2);
    const [first, ...others] = decode(`${laidOut}\n${NEXT}\n`);
    expect(JSON.parse(first as string)).toEqual(MESSAGE);
    expect(others).toEqual([NEXT]);
  });

  verifies('FRAME-5', 'is decoded by createMultilineDecoder only, which works with any transport', async () => {
    const read = async (options: object) => {
      const input = new PassThrough();
      const transport = createStdioTransport({ input, output: new PassThrough(), ...options });
      input.end('{"type":\n"x"}\n');
      const kinds: unknown[] = [];
      for await (const item of flattenIncoming(transport.incoming)) {
        kinds.push(item.kind === 'message' ? (item.read().message ?? item.text) : item.kind);
      }
      return kinds;
    };
    expect(await read({})).toEqual(['{"type":', '"x"}']);
    expect(await read({ createDecoder: createMultilineDecoder })).toEqual([{ type: 'x' }]);
  });

  verifies('FRAME-5', 'of an agent that indents its output arrives whole through spawnAgent', async () => {
    const print = `console.log(JSON.stringify(${JSON.stringify(MESSAGE)}, null, 2)); console.log('${NEXT}')`;
    const agent = { command: process.execPath, args: ['-e', print] };
    await using transport = spawnAgent({ ...agent, createDecoder: createMultilineDecoder });
    const messages: unknown[] = [];
    for await (const item of flattenIncoming(transport.incoming)) {
      if (item.kind === 'message') messages.push(item.read().message);
    }
    expect(messages).toEqual([MESSAGE, JSON.parse(NEXT)]);
  });

  test('may be broken within a string, also after a backslash', () => {
    for (const at of [12, 20, 25, 26]) {
      const text = JSON.stringify(MESSAGE);
      const [first, ...others] = decode(`${text.slice(0, at)}\n${text.slice(at)}\n${NEXT}`);
      expect([JSON.parse(first as string), ...others], String(at)).toEqual([MESSAGE, NEXT]);
    }
  });

  test('that never ends does not swallow the lines after it', () => {
    expect(decode(`{"type":"cut","text":"ab\n${NEXT}\n${NEXT}\n`)).toEqual(['{"type":"cut","text":"ab', NEXT, NEXT]);
    expect(decode('{"type":"cut"')).toEqual(['{"type":"cut"']);
  });

  test('leaves lines that are not part of a message as they are, in order', () => {
    const noise = ['npm warn', '[1]', '{"no":"type"}', '{} and more', 'null', '}'];
    expect(decode(`${noise.join('\n')}\n${NEXT}\n`)).toEqual([...noise, NEXT]);
  });

  test('is limited as a whole by maxLineBytes', () => {
    const lines = ['{"type":"long",', '"a":"日本語",', '"b":1}'];
    const bytes = Buffer.byteLength(lines.join(''));
    expect(decode(lines.join('\n'), { maxLineBytes: bytes })).toEqual([lines.join('')]);
    const [first, ...others] = decode(`${lines.join('\n')}\n${NEXT}`, { maxLineBytes: bytes - 1 });
    expect(first).toEqual({ kind: 'too-large', bytes, limit: bytes - 1, head: lines.join('') });
    expect(others).toEqual([NEXT]);
  });
});

test('messages on single lines are decoded as by the default decoder, in pieces of any size', () => {
  const line = fc.oneof(
    fc.constantFrom('', '  ', 'noise', '[2]', '"{"', '\ufeff{"type":"x"}'),
    fc.json().map((json) => `{"type":"x","of":${json}}`),
  );
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 40 }), (all, size) => {
      const text = all.join('\r\n');
      const usual = createLineDecoder();
      expect(decode(text, { size })).toEqual([...usual.push(text), ...usual.end()]);
    }),
  );
});

test('every message comes after a line above the limit, in pieces of any size', () => {
  const line = fc.constantFrom(NEXT, 'noise', 'x'.repeat(100), `{"type":"x","long":"${'é'.repeat(60)}"}`);
  const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n'));
  fc.assert(
    fc.property(fc.array(ended, { maxLength: 8 }), fc.integer({ min: 1, max: 150 }), (all, size) => {
      const found = decode(all.map(([content, end]) => content + end).join(''), { maxLineBytes: 50, size });
      expect(found.map((one) => (typeof one === 'string' ? one : one.kind))).toEqual(
        all.map(([content]) => (content.length > 50 ? 'too-large' : content)),
      );
    }),
  );
});

describe('createRawDecoder', () => {
  async function read(chunks: readonly (Uint8Array | string)[]): Promise<string[]> {
    const input = new PassThrough();
    const transport = createStdioTransport({ input, output: new PassThrough(), createDecoder: createRawDecoder });
    for (const chunk of chunks) input.write(chunk);
    input.end();
    const texts: string[] = [];
    for await (const item of flattenIncoming(transport.incoming))
      texts.push(item.kind === 'message' ? item.text : item.kind);
    return texts;
  }

  test('output is passed on unchanged: blank lines, line ends and BOM included', async () => {
    expect((await read(['\uFEFFa\r\n\n', '  b'])).join('')).toBe('\uFEFFa\r\n\n  b');
  });

  test('a split character waits for its other bytes, or for the end of the output', async () => {
    const bytes = Buffer.from('日本');
    const [whole, broken] = [[bytes.subarray(0, 2), bytes.subarray(2)], [bytes.subarray(0, 4)]];
    expect((await read(whole)).join('')).toBe('日本');
    expect((await read(broken)).join('')).toBe('日\uFFFD');
  });

  test('sent text is written unchanged', async () => {
    const output = new PassThrough();
    const transport = createStdioTransport({ input: new PassThrough(), output, createDecoder: createRawDecoder });
    await transport.send({ count: 1, text: 'no line end', *messages() {} });
    expect(String(output.read())).toBe('no line end');
  });
});
