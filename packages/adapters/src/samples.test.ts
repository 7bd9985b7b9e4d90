import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dispatch } from './events/dispatch.ts';
import { readEvents } from './events/read-events.ts';
import { expectSound, factsOf, ofType, run, type Run, type Sample, samples } from './samples.test-support.ts';

function expectFacts(given: Run, { expected }: Sample): void {
  const { text, thinking, toolCalls, toolResults, errors, unknownTypes, lines, malformed } = expected;
  const { blankLines = 0, sessionId, model } = expected;
  expect(factsOf(given)).toEqual({
    lines,
    blankLines,
    malformed,
    sessionId,
    model,
    text,
    thinking,
    toolCalls,
    toolResults: toolResults.map((result) => expect.objectContaining(result) as unknown),
    errors,
    unknownTypes,
  });
  const { result } = given;
  expect({ ok: result.ok, reason: result.reason }).toEqual({
    ok: expected.complete.ok,
    reason: expected.complete.reason,
  });
  if (expected.complete.error !== undefined) expect(result.error).toBe(expected.complete.error);
  if (expected.complete.resultText !== undefined) expect(result.text).toBe(expected.complete.resultText);
  if (expected.usage === undefined) return;
  const { input, cacheRead, cacheWrite, output, cost } = expected.usage;
  expect(result.usage).toMatchObject({
    inputTokens: input,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    outputTokens: output,
  });
  if (cost !== undefined) expect(result.costUsd).toBeCloseTo(cost, 10);
}

/** The bytes, split at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...places].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
}

describe.each(samples)('$name', (sample) => {
  const { backend, bytes, expected } = sample;
  const read = (chunks: readonly Uint8Array[]) => run(backend, chunks, expected.exitCode);

  test('yields the expected facts', async () => {
    const given = await read([bytes]);
    expectFacts(given, sample);
    const texts = ofType(given.events, 'text').filter(({ parentId }) => parentId === undefined);
    const delta = texts.filter((event) => event.delta).length;
    expect({ delta, whole: texts.length - delta }).toEqual(expected.textEvents);
  });

  test('yields the same in single bytes, in random chunks, and with split characters', async () => {
    const whole = await read([bytes]);
    const everywhere = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await read(everywhere)).toEqual(whole);
    const inCharacters = Array.from(bytes.keys()).filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
    expect(await read(cut(bytes, inCharacters))).toEqual(whole);
    const places = fc.array(fc.nat(bytes.length), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(await read(cut(bytes, at))).toEqual(whole);
      }),
      { numRuns: 5 },
    );
  });

  test('has each call before its result, each record with its events, and one end', async () => {
    const { events, result } = await read([bytes]);
    expectSound(events);
    expect(new Set(events.flatMap(({ raw }) => raw ?? [])).size).toBe(expected.lines - expected.malformed);
    expect(result.stats.events).toBe(events.length);
  });
});

verifies('ADAPT-15', 'one consumer handles the output of every backend without knowing the backend', async () => {
  const results: object[] = [];
  for (const { backend, bytes, expected } of samples) {
    const calls: string[] = [];
    let text = '';
    const events = readEvents(backend, { prompt: '' }, [bytes], { exitCode: expected.exitCode, signal: null });
    const { ok } = await dispatch(events, {
      onText: (piece) => void (text += piece),
      onToolCall: (name) => void calls.push(name),
    });
    results.push({ text, calls, ok });
  }
  expect(results).toEqual(
    samples.map(({ expected: { text, toolCalls, complete } }) => ({
      text,
      calls: toolCalls.map((call) => Reflect.get(call, 'name') as unknown),
      ok: complete.ok,
    })),
  );
});
