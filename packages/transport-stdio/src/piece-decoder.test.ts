import { PassThrough } from 'node:stream';
import { flattenIncoming } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { createPieceDecoder } from './piece-decoder.ts';
import { createStdioTransport } from './stdio-transport.ts';

async function read(chunks: readonly (Uint8Array | string)[]): Promise<string[]> {
  const input = new PassThrough();
  const transport = createStdioTransport({ input, output: new PassThrough(), createDecoder: createPieceDecoder });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  const texts: string[] = [];
  for await (const item of flattenIncoming(transport.incoming))
    texts.push(item.kind === 'message' ? item.text : item.kind);
  return texts;
}

test('what a peer writes comes as it came: blank lines, line ends, BOM and all', async () => {
  expect((await read(['\uFEFFa\r\n\n', '  b'])).join('')).toBe('\uFEFFa\r\n\n  b');
});

test('a character that is cut waits for its end, or for the end of all', async () => {
  const bytes = Buffer.from('日本');
  const [whole, broken] = [[bytes.subarray(0, 2), bytes.subarray(2)], [bytes.subarray(0, 4)]];
  expect((await read(whole)).join('')).toBe('日本');
  expect((await read(broken)).join('')).toBe('日\uFFFD');
});

test('what is sent is written as it is', async () => {
  const output = new PassThrough();
  const transport = createStdioTransport({ input: new PassThrough(), output, createDecoder: createPieceDecoder });
  await transport.send({ count: 1, text: 'no line end', *messages() {} });
  expect(String(output.read())).toBe('no line end');
});
