import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInBackends } from './backends/backend-registry.ts';
import { expectSound, run, type Sample, samples } from './samples.test-support.ts';

const recorded = samples.filter(({ name }) => !name.startsWith('noise'));
const linesOf = ({ bytes }: Sample) => new TextDecoder().decode(bytes).trimEnd().split('\n');

const damage = fc.record({
  sample: fc.constantFrom(...recorded),
  at: fc.nat(),
  garbage: fc.oneof(
    fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
    fc.constantFrom('{', '{"type":', '\x1b]0;', '[', '"', '\u2028', '\0', '{"type":"assistant","message":{"content":['),
  ),
});

test('a bad line at any place does not affect other lines', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async ({ sample, at, garbage }) => {
      const { backend, expected } = sample;
      const lines = linesOf(sample);
      lines.splice(at % (lines.length + 1), 0, garbage);
      const damaged = await run(backend, [lines.join('\n')], expected.exitCode);
      const whole = await run(backend, [sample.bytes], expected.exitCode);
      fc.pre(
        damaged.result.stats.lines !== whole.result.stats.lines + 1 ||
          damaged.malformed.length > whole.malformed.length,
      );
      expect(damaged.events.slice(0, -1)).toEqual(whole.events.slice(0, -1));
      expectSound(damaged.events);
    }),
    { numRuns: 300 },
  );
});

test('changed, lost or duplicated bytes cause no exception, and the run ends', async () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom('set', 'cut', 'double'), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...recorded), fc.array(change, { maxLength: 20 }), async (sample, changes) => {
      let bytes = Uint8Array.from(sample.bytes);
      for (const [place, how, value] of changes) {
        const at = place % bytes.length;
        if (how === 'set') bytes[at] = value;
        else if (how === 'cut') bytes = bytes.slice(0, Math.max(1, at));
        else bytes = Uint8Array.from([...bytes, ...bytes.slice(at, at + 2000)]);
      }
      const { events, result } = await run(sample.backend, [bytes], sample.expected.exitCode);
      expectSound(events);
      expect(result.stats.bytes).toBe(bytes.length);
    }),
    { numRuns: 300 },
  );
});

test('members of any type at any place cause no exception in any parser', async () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const types = [
    ...new Set(recorded.flatMap((sample) => linesOf(sample).map((line) => JSON.parse(line) as { type: string }))),
  ];
  const mutated = fc.tuple(fc.constantFrom(...types), fc.nat(), value, fc.boolean()).map(([record, at, put, deep]) => {
    const copy = structuredClone(record) as unknown as Record<string, unknown>;
    const keys = Object.keys(copy).filter((key) => key !== 'type');
    const key = keys[at % Math.max(1, keys.length)] ?? 'x';
    const inner = copy[key];
    if (deep && typeof inner === 'object' && inner !== null) {
      const innerKeys = Object.keys(inner);
      Reflect.set(inner, innerKeys[at % Math.max(1, innerKeys.length)] ?? 'x', put);
    } else copy[key] = put;
    return JSON.stringify(copy);
  });
  const records = builtInBackends.filter(({ outputFormat }) => outputFormat !== 'text');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...records), fc.array(mutated, { maxLength: 20 }), async (backend, lines) => {
      const { events, malformed } = await run(backend, [lines.join('\n')], 0);
      expectSound(events);
      expect(malformed.filter(({ reason }) => reason === 'invalid-event')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
