import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineBackend } from '../backends/backend.ts';
import { kiro, text } from '../backends/text-kiro.ts';
import type { AgentEvent } from '../events/agent-event.ts';
import { ofType, run } from '../samples.test-support.ts';
import { createTextParser } from './text-parser.ts';

type Said = string | { topic: string; target?: string | undefined; payload: string };

/** The texts and tags in order, with adjacent texts joined. */
function saidIn(events: readonly AgentEvent[]): Said[] {
  const said: Said[] = [];
  for (const event of events) {
    const last = said.at(-1);
    if (event.type === 'tag_event') {
      const { topic, target, payload } = event;
      said.push({ topic, payload, ...(target !== undefined && { target }) });
    } else if (event.type === 'text') {
      if (typeof last === 'string') said[said.length - 1] = last + event.text;
      else said.push(event.text);
    }
  }
  return said;
}

const read = async (output: string) => saidIn((await run(text, [output])).events);

verifies('ADAPT-5', 'a tag with a topic and an end is an event, and all else is unchanged text', async () => {
  const output = [
    'Before ',
    '<event topic="build.done" target="planner">\n  all\n  green\n</event>',
    ' between\n',
    '<event topic="next">go</event><event topic=\'quoted\'></event>',
    ' <event target="x">no topic</event> <events topic="a">no tag</events> a < b ',
    '<event topic="open">never closed',
  ].join('');
  expect(await read(output)).toEqual([
    'Before ',
    { topic: 'build.done', target: 'planner', payload: 'all\n  green' },
    ' between\n',
    { topic: 'next', payload: 'go' },
    { topic: 'quoted', payload: '' },
    ' <event target="x">no topic</event> <events topic="a">no tag</events> a < b <event topic="open">never closed',
  ]);
});

verifies('ADAPT-5', 'terminal escapes are removed, also when they are split', async () => {
  const colored =
    '\x1b[1;32mgreen\x1b[0m \x1b]0;a title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(B\x1b7\x1b[?25l\x07e\r\nf';
  const tagged = `\x1b[2m<event \x1b[1mtopic="t">pay\x1b[0mload</event>`;
  const output = colored + tagged;
  for (let at = 0; at <= output.length; at++) {
    const { events } = await run(text, [output.slice(0, at), output.slice(at)]);
    expect(saidIn(events)).toEqual(['green link e\nf', { topic: 't', payload: 'payload' }]);
  }
});

test('property: the events do not depend on how the output is split', async () => {
  const part = fc.constantFrom(
    ...'a| |\n|\r|\r\n|<|<event|<event topic="t">|</event>|<event target="u" topic="v">|>|日本'.split('|'),
    ...'\x1b[1m|\x1b]0;t\x07|\x1b|\x1b[|\x1b]0;open'.split('|'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
      const bytes = new TextEncoder().encode(parts.join(''));
      const whole = saidIn((await run(text, [bytes])).events);
      const cut = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      expect(saidIn((await run(text, cut)).events)).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

describe('the limits of the text parser', () => {
  const small = defineBackend({
    name: 'small',
    command: 'x',
    args: () => [],
    createParser: () => createTextParser({ maxTagBytes: 40 }),
  });

  test('turn a tag that is too long into text', async () => {
    const long = `<event topic="t">${'x'.repeat(100)}</event>`;
    const { events } = await run(small, [long.slice(0, 90), long.slice(90), '<event topic="u">y</event>']);
    expect(saidIn(events)).toEqual([long, { topic: 'u', payload: 'y' }]);
  });

  test('count bytes, not characters', async () => {
    const { events } = await run(small, ['<event topic="t">日本日本', '日本日本', '</event>']);
    expect(saidIn(events)).toEqual(['<event topic="t">日本日本日本日本</event>']);
  });

  test('release the text after an escape that never ends', async () => {
    expect(await read(`\x1b]0;${'x'.repeat(5000)}`)).toEqual([`]0;${'x'.repeat(5000)}`]);
  });
});

verifies('ADAPT-2', 'a text backend yields its text as it arrives, and ends by its exit code', async () => {
  async function* output() {
    yield 'one ';
    yield 'two';
  }
  const { events, result } = await run(kiro, output());
  expect(ofType(events, 'text')).toMatchObject([
    { text: 'one ', delta: true },
    { text: 'two', delta: true },
  ]);
  expect(result).toMatchObject({ ok: true, text: 'one two' });
});

verifies('ADAPT-2', 'the exit code of a text backend alone decides the reason of its end', async () => {
  const reasons = { 0: 'success', 1: 'error', 3: 'error', 143: 'aborted' };
  for (const [exitCode, reason] of Object.entries(reasons)) {
    expect((await run(kiro, ['x'], Number(exitCode))).result, exitCode).toMatchObject({ reason });
  }
});
