import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordingEntry } from '../recording.ts';
import { createEntryRedactor } from './entry-redactor.ts';
import { createRedactor } from './redactor.ts';
import { SECRET_SHAPES } from './secret-corpus.test-support.ts';
import { redactedPieces } from './streamed-pieces.ts';

const redactor = createRedactor();
const event = (of: object, parent: string | null = null) =>
  JSON.stringify({ type: 'stream_event', event: of, parent_tool_use_id: parent });
const piece = (text: string, { name = 'text', index = 0, parent = null as string | null } = {}) =>
  event({ type: 'content_block_delta', index, delta: { type: `${name}_delta`, [name]: text } }, parent);
const stop = (index = 0, parent: string | null = null) => event({ type: 'content_block_stop', index }, parent);

/** What has been written after each of the given agent lines. */
function written(lines: readonly string[]) {
  const entries: RecordingEntry[] = [];
  const { add } = createEntryRedactor(redactor, (entry) => entries.push(entry));
  const counts = lines.map((line, t) => {
    add({ t, dir: 'from-agent', line });
    return entries.length;
  });
  return { text: JSON.stringify(entries), entries, counts };
}

describe('a text that is streamed', () => {
  verifies('SAFE-6', 'leaks no secret however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRET_SHAPES), fc.integer({ min: 1, max: 12 }), ({ text, secret }, size) => {
        const cut = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const clean = redactedPieces(cut, redactor);
        expect(clean.join('')).toBe(redactor.text(text));
        const { entries } = written([...cut.map((some) => piece(some)), stop()]);
        const said = entries.flatMap((entry) => ('line' in entry ? [textOf(entry.line)] : [])).join('');
        expect(said).toBe(redactor.text(text));
        expect(said).not.toContain(secret);
      }),
    );
  });

  test('begins a secret after a blank if the blank ends a piece', () => {
    const { entries } = written([piece('Cookie: '), piece('session=aB3dE6gH9jK2mN5pQ8sT'), stop()]);
    const said = entries.flatMap((entry) => ('line' in entry ? [textOf(entry.line)] : []));
    expect(said).toEqual(['Cookie: ', '[redacted]', '']);
  });

  test('waits for its end, with all that arrives meanwhile, in order; several texts at once wait for each other', () => {
    const { counts, entries } = written([
      '{"type":"system"}',
      piece('pass'),
      '{"type":"control_request"}',
      piece('a', { index: 1, parent: 'T' }),
      piece('word=hunter22'),
      stop(),
      stop(1, 'T'),
      piece('b'),
      '{"type":"result"}',
    ]);
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 7, 7, 9]);
    expect(entries.map(({ t }) => t)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(entries[4]).toMatchObject({ line: piece('word=[redacted]'), redacted: ['event.delta.text'] });
    expect(entries[1]).toEqual({ t: 1, dir: 'from-agent', line: piece('pass') });
  });

  verifies('SAFE-6', 'is searched as a whole though messages of other kinds and of other agents come meanwhile', () => {
    const others = [
      '{"type":"assistant","parent_tool_use_id":"T","message":{}}',
      '{"type":"user","parent_tool_use_id":null,"message":{}}',
      '{"type":"user","parent_tool_use_id":"T","message":{}}',
      '{"type":"assistant","parent_tool_use_id":null,"message":{}}',
      '{"type":"system","subtype":"status"}',
      event({ type: 'message_start' }, 'T'),
      event({ type: 'message_stop' }, 'T'),
    ];
    for (const [parent, end] of [
      [null, '{"type":"result"}'],
      ['S', event({ type: 'message_stop' }, 'S')],
    ] as const) {
      for (const other of others) {
        const { text, counts } = written([piece('pass', { parent }), other, piece('word=hunter22', { parent }), end]);
        expect(text, other).not.toContain('hunter22');
        expect(counts).toEqual([0, 0, 0, 4]);
      }
    }
    const { text } = written([
      piece('pass', { parent: 'S' }),
      '{"type":"result"}',
      piece('word=hunter22', { parent: 'S' }),
      stop(0, 'S'),
    ]);
    expect(text).not.toContain('hunter22');
  });

  test('of thoughts and of the input of a tool as well; an agent that is gone ends them all', () => {
    const entries: RecordingEntry[] = [];
    const { add } = createEntryRedactor(redactor, (entry) => entries.push(entry));
    for (const name of ['thinking', 'partial_json']) {
      for (const text of ['{"api_key": "hun', 'ter22"}']) add({ t: 0, dir: 'from-agent', line: piece(text, { name }) });
      expect(entries).toEqual([]);
      add({ t: 1, closed: 'peer' });
      expect(JSON.stringify(entries.splice(0))).not.toMatch(/hun|ter22/);
    }
  });
});

function textOf(line: string): string {
  const { event: of } = JSON.parse(line) as { event: { delta?: { text: string } } };
  return of.delta?.text ?? '';
}
