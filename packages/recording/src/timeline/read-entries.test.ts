import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlacedEntry, readEntries, type ReadEntriesOptions } from './read-entries.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, options: ReadEntriesOptions = {}, size = 7) {
  const bytes = new TextEncoder().encode(text);
  const entries: PlacedEntry[] = [];
  for await (const entry of readEntries(chunksOf(bytes, size), options)) entries.push(entry);
  const textAt = ({ offset, bytes: length }: { offset: number; bytes: number }) =>
    new TextDecoder().decode(bytes.subarray(offset, offset + length));
  return { entries, textAt };
}

const HEADER = '{"recording":1,"side":"agent","redacted":false}';

describe('a recording', () => {
  test('gives its entries with their lines and places', async () => {
    const first = '{"t":1,"dir":"from-host","line":"{\\"type\\":\\"keep_alive\\"}"}';
    const second = '{"t":2,"link":"down","attempt":1}';
    const { entries, textAt } = await read(`${HEADER}\n${first}\n\n${second}`);
    expect(entries.map(({ entry }) => entry)).toEqual([JSON.parse(first), JSON.parse(second)]);
    expect(entries.map(({ number }) => number)).toEqual([2, 4]);
    expect(entries.map(textAt)).toEqual([first, second]);
  });

  test('a line that is not an entry is lost, at the time of the entry before it', async () => {
    const { entries } = await read(
      `${HEADER}\n{"t":5,"closed":"peer"}\nbroken\n{"t":6}\n${HEADER}\n{"t":7,"closed":"peer"`,
    );
    expect(entries.slice(1).map(({ entry }) => entry)).toEqual(
      ['broken', '{"t":6}', HEADER, '{"t":7,"closed":"peer"'].map((excerpt) => ({
        t: 5,
        dir: 'from-agent',
        lost: 'malformed',
        excerpt,
      })),
    );
  });

  test('a line above the limit is lost, and the lines after it are read', async () => {
    const long = `{"t":1,"closed":"${'x'.repeat(100)}"}`;
    const { entries } = await read(`${HEADER}\n${long}\n{"t":2,"closed":"peer"}\n`, { maxLineBytes: 60 });
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      { lost: 'too-large', excerpt: `a line of ${long.length} bytes` },
      { closed: 'peer' },
    ]);
  });
});

test('every entry comes after a line above the limit, wherever the file is cut and whatever ends the lines', async () => {
  const line = fc.constantFrom(
    '{"t":1,"closed":"peer"}',
    `{"t":2,"closed":"${'x'.repeat(100)}"}`,
    'broken',
    'é'.repeat(200),
  );
  const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(ended, { maxLength: 8 }), fc.integer({ min: 1, max: 150 }), async (lines, size) => {
      const text = `${HEADER}\n${lines.map(([content, end]) => content + end).join('')}`;
      const { entries } = await read(text, { maxLineBytes: 90 }, size);
      expect(entries.map(({ entry }) => ('lost' in entry ? entry.lost : 'entry'))).toEqual(
        lines.map(([content]) => (content.length > 90 ? 'too-large' : content === 'broken' ? 'malformed' : 'entry')),
      );
    }),
  );
});

describe('plain lines', () => {
  const sides = async (lines: readonly object[], options?: ReadEntriesOptions) => {
    const { entries } = await read(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), options);
    return entries.map(({ entry }) => ('dir' in entry ? entry.dir : undefined));
  };
  const user = (content: unknown, more: object = {}) => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    ...more,
  });

  test('the side of a message follows from its members', async () => {
    const lines = [
      user('go'),
      user([{ type: 'tool_result', tool_use_id: 't', content: '' }]),
      user('go', { isReplay: true, uuid: 'u', session_id: 's' }),
      { type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } },
      { type: 'control_response', response: { subtype: 'success', request_id: '1', response: {} } },
      {
        type: 'control_request',
        request_id: '2',
        request: { subtype: 'can_use_tool', tool_name: 'a', input: {}, tool_use_id: 't' },
      },
      { type: 'control_cancel_request', request_id: '2' },
      { type: 'control_response', response: { subtype: 'success', request_id: '2', response: {} } },
      { type: 'moon_rise' },
    ];
    const expected = ['host', 'agent', 'agent', 'host', 'agent', 'agent', 'agent', 'host', 'agent'];
    expect(await sides(lines)).toEqual(expected.map((side) => `from-${side}`));
  });

  test('requests of both sides with one id get their own answers, the older request first', async () => {
    const interrupt = { type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } };
    const request = { subtype: 'can_use_tool', tool_name: 'a', input: {}, tool_use_id: 't' };
    const permission = { type: 'control_request', request_id: '1', request };
    const answer = { type: 'control_response', response: { subtype: 'success', request_id: '1', response: {} } };
    const [host, agent] = ['from-host', 'from-agent'];
    expect(await sides([interrupt, permission, answer, answer])).toEqual([host, agent, agent, host]);
    expect(await sides([permission, interrupt, answer, answer])).toEqual([agent, host, host, agent]);
  });

  test('a given direction counts for all lines', async () => {
    expect(await sides([user('go'), { type: 'moon_rise' }], { direction: 'from-host' })).toEqual([
      'from-host',
      'from-host',
    ]);
  });

  test('they have no time', async () => {
    const { entries } = await read('{"type":"keep_alive"}\n');
    expect(entries[0]?.entry.t).toBeNaN();
  });

  test('every line that is not blank has its place, however the bytes are cut', async () => {
    const anyLine = fc.oneof(fc.json(), fc.constant(''), fc.constant('ü🙂'), fc.constant('\r'));
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
        const { entries, textAt } = await read(lines.join('\n'), {}, size);
        const wanted = lines.filter((line) => line.trim() !== '' && !line.startsWith('{"recording"'));
        expect(entries.map((entry) => textAt(entry).trim())).toEqual(wanted.map((line) => line.trim()));
      }),
    );
  });
});
