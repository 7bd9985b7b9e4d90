import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '@proto/core/network';
import { readEvents } from './read-events.ts';

const MAX = 2000;

/** What comes of a stream in these pieces: the text of each event, and `undefined` for one above the limit. */
async function readAll(pieces: readonly Uint8Array[]): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  const left = [...pieces];
  const body = {
    read: async () => {
      const value = left.shift();
      return value === undefined ? ({ done: true, value } as const) : ({ done: false, value } as const);
    },
    cancel: async () => {},
  };
  await readEvents(body, {
    clock: systemClock,
    signal: new AbortController().signal,
    silenceMs: 60_000,
    maxEventBytes: MAX,
    room: () => undefined,
    onEvent: ({ data }) => found.push(data),
    onTooLarge: () => found.push(undefined),
    onRetry() {},
    onPiece() {},
  });
  return found;
}

/** The end of the last line of an event, and of the blank line after it. A carriage return before a line feed would be one line end. */
const ENDS = ['\n\n', '\r\r', '\r\n\r\n', '\r\n\r', '\n\r', '\r\n\n', '\n\r\n', '\r\r\n'];

const event = fc.record({
  lines: fc.array(
    fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom('é'.repeat(900), 'x'.repeat(MAX), 'y'.repeat(MAX + 1), 'z'.repeat(3 * MAX)),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  lineEnd: fc.constantFrom('\n', '\r', '\r\n'),
  end: fc.constantFrom(...ENDS),
  id: fc.option(fc.nat(), { nil: undefined }),
});

test('no event is lost after one above the limit, whatever ends the lines and wherever the pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1000, max: 3000 })), {
        minLength: 2,
        maxLength: 9,
      }),
      async (events, sizes) => {
        const wanted = events.map(({ lines }) => lines.map((line) => line.replace(/[\r\n]/g, '')));
        const text = events.map(({ lineEnd, end, id }, at) => {
          const fields = [
            ...(id === undefined ? [] : [`id: ${id}`]),
            ...(wanted[at] ?? []).map((line) => `data: ${line}`),
          ];
          return fields.join(lineEnd) + end;
        });
        const bytes = new TextEncoder().encode(text.join(''));
        const pieces: Uint8Array[] = [];
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const size = sizes[n % sizes.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        const joined = wanted.map((lines) => lines.join('\n'));
        expect(await readAll(pieces)).toEqual(joined.map((data) => (data.length > MAX ? undefined : data)));
      },
    ),
    { numRuns: 200 },
  );
});

test.each(ENDS)(
  'the event after one above the limit comes, where its blank line is %j in pieces of every size',
  async (end) => {
    const bytes = new TextEncoder().encode(`data: ${'x'.repeat(2 * MAX)}${end}data: next${end}`);
    for (let at = bytes.length - 24; at < bytes.length; at++) {
      expect(await readAll([bytes.subarray(0, 1500), bytes.subarray(1500, at), bytes.subarray(at)])).toEqual([
        undefined,
        'next',
      ]);
    }
  },
);
