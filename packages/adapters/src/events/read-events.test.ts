import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { type AgentBackend, defineBackend } from '../backends/backend.ts';
import { claude } from '../backends/claude-amp-qwen.ts';
import { codex } from '../backends/codex.ts';
import { ofType, run, runLines, sampleNamed } from '../samples.test-support.ts';
import type { AgentEvent } from './agent-event.ts';
import { readEvents } from './read-events.ts';
import type { MalformedLine } from './record-decoder.ts';

const CLEAN = { exitCode: 0, signal: null };
const thread = { type: 'thread.started', thread_id: 't' };
const says = (text: string) => ({ type: 'item.completed', item: { id: text, type: 'agent_message', text } });
const done = { type: 'turn.completed', usage: { input_tokens: 3, cached_input_tokens: 1, output_tokens: 2 } };

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A backend whose parser calls the given function. */
const parsing = (parseEvent: (record: Readonly<Record<string, unknown>>) => never[] | null): AgentBackend =>
  defineBackend({
    name: 'test',
    command: 'test',
    outputFormat: 'test',
    args: () => [],
    createParser: () => ({ parseEvent }),
  });

describe('lines', () => {
  verifies('ADAPT-4', 'each line is an object and yields any number of events, in any pieces', async () => {
    const { bytes, backend } = sampleNamed('amp-thinking.jsonl');
    const whole = await run(backend, [bytes]);
    const counts = new Map<unknown, number>();
    for (const { raw } of whole.events) if (raw) counts.set(raw['type'], (counts.get(raw['type']) ?? 0) + 1);
    // The lines are: three replies, with six blocks in total and a usage each; two lines with three tool results in total; and one echo of the prompt.
    expect(Object.fromEntries(counts)).toEqual({ system: 1, user: 4, assistant: 9, result: 2 });
    const half = bytes.length >> 1;
    expect(await run(backend, [bytes.subarray(0, half), bytes.subarray(half)])).toEqual(whole);
  });

  verifies(['ADAPT-6', 'ADAPT-4'], 'a bad line is skipped, counted and reported with its number', async () => {
    const lines = ['hello', '', '[1]', 'null', '"x"', '{"type":"thr', '{"id":1}', thread, '', says('a'), done];
    const { events, malformed, result } = await runLines(codex, lines);
    expect(malformed.map(({ lineNo, reason }) => [lineNo, reason])).toEqual([
      [1, 'not-json'],
      [3, 'not-an-object'],
      [4, 'not-an-object'],
      [5, 'not-an-object'],
      [6, 'not-json'],
      [7, 'not-an-event'],
    ]);
    expect(ofType(events, 'text')).toMatchObject([{ text: 'a', delta: false }]);
    expect(result).toMatchObject({ ok: true, stats: { lines: 9, blank: 2, malformed: 6 } });
  });

  test('a line above the size limit is reported in its place, and the next line is read', async () => {
    const output = [`${JSON.stringify(says('x'.repeat(5000)))}\n${JSON.stringify(says('b'))}\n${JSON.stringify(done)}`];
    const malformed: MalformedLine[] = [];
    const onMalformed = (line: MalformedLine) => void malformed.push(line);
    const events = readEvents(codex, { prompt: '' }, output, CLEAN, { maxLineBytes: 1000, onMalformed });
    expect(ofType(await collect(events), 'text').map(({ text }) => text)).toEqual(['b']);
    expect(malformed).toMatchObject([{ lineNo: 1, reason: 'too-large' }]);
    expect(malformed[0]?.bytes).toBeGreaterThan(5000);
    expect(malformed[0]?.preview.length).toBeLessThanOrEqual(200);
  });

  test('U+2028 does not end a line', async () => {
    const { events } = await runLines(codex, [
      '{"type":"item.completed","item":{"type":"agent_message","text":"a\u2028b"}}',
    ]);
    expect(ofType(events, 'text')).toMatchObject([{ text: 'a\u2028b' }]);
  });

  test('an error of the parser only affects its line', async () => {
    const backend = parsing(({ n }) => {
      if (n === 1) throw new Error('bug');
      return [];
    });
    const { events, malformed } = await runLines(backend, [{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(malformed).toMatchObject([{ lineNo: 2, reason: 'invalid-event' }]);
    expect(ofType(events, 'info').map(({ raw }) => raw)).toEqual([{ n: 0 }, { n: 2 }]);
  });
});

describe('unknown types', () => {
  test('yield the whole record and are counted', async () => {
    const future = { type: 'future', a: 1 };
    const { events, result } = await runLines(codex, [future, future, done]);
    expect(ofType(events, 'unknown')).toEqual([
      { type: 'unknown', eventType: 'future', raw: future },
      { type: 'unknown', eventType: 'future', raw: future },
    ]);
    expect(result.stats.unknown).toEqual({ future: 2 });
  });

  test('named like a member of Object.prototype are counted like others', async () => {
    const { result } = await runLines(codex, ['{"type":"__proto__"}', '{"type":"toString"}']);
    expect(Object.entries(result.stats.unknown)).toEqual([
      ['__proto__', 1],
      ['toString', 1],
    ]);
  });

  test('above a limit are counted together', async () => {
    const { result } = await runLines(
      codex,
      Array.from({ length: 3000 }, (_, n) => ({ type: `t${n}` })),
    );
    const counts = Object.values(result.stats.unknown);
    expect(counts.length).toBeLessThanOrEqual(1001);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3000);
  });
});

describe('the complete event', () => {
  test('has the outcome of the backend, and the exit code in addition', async () => {
    const { result } = await runLines(codex, [thread, says('a'), done], 1);
    expect(result).toMatchObject({ ok: true, reason: 'success', exitCode: 1, terminalEventSeen: true, text: 'a' });
  });

  test.each([
    [0, null, 'incomplete'],
    [1, null, 'incomplete'],
    [130, null, 'aborted'],
    [143, null, 'aborted'],
    [null, 'SIGKILL', 'aborted'],
    [null, 'SIGSEGV', 'incomplete'],
    [null, null, 'incomplete'],
  ] as const)('without an outcome in the output, with %s and signal %s, is %s', async (exitCode, signal, reason) => {
    const events = await collect(readEvents(codex, { prompt: '' }, [JSON.stringify(thread)], { exitCode, signal }));
    expect(events.at(-1)).toMatchObject({
      type: 'complete',
      synthesised: true,
      result: { ok: false, reason, exitCode, signal, terminalEventSeen: false, sessionId: 't' },
    });
  });

  test('has the stderr tail as error if nothing else reports an error', async () => {
    const exit = { exitCode: 1, signal: null, stderrTail: 'not signed in\n' };
    const events = await collect(readEvents(codex, { prompt: '' }, [], exit));
    expect(events).toMatchObject([{ type: 'complete', result: { error: 'not signed in', reason: 'incomplete' } }]);
  });

  test('waits for the exit of the process', async () => {
    let leave = (_: typeof CLEAN) => {};
    const exit = new Promise<typeof CLEAN>((resolve) => void (leave = resolve));
    const events = readEvents(codex, { prompt: '' }, [JSON.stringify(done)], exit);
    expect(await events.next()).toMatchObject({ value: { type: 'usage' } });
    const last = events.next();
    leave(CLEAN);
    expect(await last).toMatchObject({ value: { type: 'complete', result: { exitCode: 0 } } });
    expect(await events.next()).toMatchObject({ done: true });
  });

  test('follows an error event when the output breaks', async () => {
    async function* output() {
      yield `${JSON.stringify(says('a'))}\n`;
      throw new Error('EIO');
    }
    const events = await collect(readEvents(codex, { prompt: '' }, output(), CLEAN));
    expect(events.map(({ type }) => type)).toEqual(['text', 'error', 'complete']);
    expect(events.at(-1)).toMatchObject({ result: { ok: false, reason: 'incomplete' } });
  });

  test('comes at once when the run is aborted, even while the output hangs', async () => {
    const abort = new AbortController();
    async function* output() {
      yield `${JSON.stringify(says('a'))}\n`;
      await new Promise(() => {});
    }
    const events = readEvents(codex, { prompt: '' }, output(), new Promise(() => {}), { signal: abort.signal });
    expect(await events.next()).toMatchObject({ value: { type: 'text' } });
    const last = events.next();
    abort.abort();
    expect(await last).toMatchObject({ value: { type: 'complete', result: { ok: false, reason: 'aborted' } } });
  });

  test('is left out when the reader stops early, and the output is closed', async () => {
    let closed = false;
    async function* output() {
      try {
        for (;;) yield `${JSON.stringify(says('a'))}\n`;
      } finally {
        closed = true;
      }
    }
    for await (const event of readEvents(codex, { prompt: '' }, output(), CLEAN)) if (event.type === 'text') break;
    expect(closed).toBe(true);
  });
});

describe('the event stream', () => {
  test('has a synthesised call for a result without a call', async () => {
    const item = { id: 'x', type: 'tool_result', tool_use_id: 'x', content: 'y' };
    const { events } = await runLines(claude, [{ type: 'user', message: { content: [item] } }]);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'tool_call', id: 'x', synthesised: true },
      { type: 'tool_result', id: 'x', output: 'y', isError: false },
    ]);
  });

  test('has an error once, also when the backend repeats it', async () => {
    const lines = [
      { type: 'error', message: 'no' },
      { type: 'error', message: 'no' },
    ];
    const { events, result } = await runLines(codex, [...lines, { type: 'turn.failed', error: { message: 'no' } }], 1);
    expect(ofType(events, 'error')).toHaveLength(1);
    expect(result).toMatchObject({ reason: 'error', error: 'no' });
  });

  test('has one session start for each session', async () => {
    const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm' };
    const { events } = await runLines(claude, [init, init, { ...init, session_id: 'other' }]);
    expect(ofType(events, 'session_start').map(({ sessionId }) => sessionId)).toEqual(['s', 'other']);
  });
});

verifies('ADAPT-11', 'readEvents accepts the output as a whole, in pieces, or as text', async () => {
  const { bytes, backend } = sampleNamed('codex-basic.jsonl');
  const whole = await run(backend, [bytes]);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }
  expect(await run(backend, pieces())).toEqual(whole);
  expect(await run(backend, [new TextDecoder().decode(bytes)])).toEqual(whole);
});
