import { readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { createStdioTransport } from './stdio-transport.ts';

const RECORDINGS = new URL('../../core/testdata/transcripts/', import.meta.url);

async function textsOf(input: string): Promise<string[]> {
  const stream = new PassThrough();
  stream.end(input);
  const texts: string[] = [];
  for await (const items of createStdioTransport({ input: stream, output: new PassThrough() }).incoming) {
    texts.push(...items.map((item) => (item.kind === 'message' ? item.text : item.kind)));
  }
  return texts;
}

verifies('PROC-15', 'a recording with CRLF, blank lines and a BOM reads the same', async () => {
  const names = readdirSync(RECORDINGS);
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    const rows = readFileSync(new URL(name, RECORDINGS), 'utf8').trimEnd().split('\n');
    const lines = rows.map((row) => (JSON.parse(row) as { line: string }).line);
    expect(await textsOf(`\uFEFF${lines.join('\r\n\r\n')}\r\n`), name).toEqual(await textsOf(lines.join('\n')));
  }
});
