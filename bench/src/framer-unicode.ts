import { byteLines, chunks, createFixtures, messages } from './fixtures.ts';
import { limit2, naive, ours } from './framers.ts';
import { compare, ratios } from './measure.ts';
import { report } from './report.ts';

const TOTAL_BYTES = 2 * 1024 * 1024;
// From Node 24 on, no decoder is faster than the plain one.
const PLAIN = Number.parseInt(process.versions.node, 10) >= 24;
const dense = PLAIN ? 0.88 : 1.2;
const sparse = PLAIN ? 0.88 : 0.8;

/** F4: text beyond ASCII, everywhere or in a few lines, in chunks of 64 KB. */
export async function framerUnicode(): Promise<void> {
  const { assistant1k, latin1k, cjk1k, cjk100k, dash1k } = createFixtures();
  const oneIn = (count: number): (() => string) => {
    let line = 0;
    return () => (line++ % count === 0 ? dash1k() : assistant1k());
  };
  const cases = {
    'Latin-1': { make: latin1k, goal: dense },
    'dense punctuation': { make: dash1k, goal: dense },
    'dense CJK': { make: cjk1k, goal: dense },
    'sparse, 1 line in 10': { make: oneIn(10), goal: sparse },
    'sparse, 1 line in 100': { make: oneIn(100), goal: sparse },
    'CJK, 100 KB lines': { make: cjk100k, goal: PLAIN ? 0.6 : 4 },
  };
  for (const [name, { make, goal }] of Object.entries(cases)) {
    const made = messages(make, TOTAL_BYTES);
    const cut = chunks(made, 65_536);
    const result = await compare(
      'LIMIT2',
      { LIMIT2: limit2(byteLines(made)), ours: ours(cut), naive: naive(cut) },
      made.length,
    );
    report({
      id: 'F4',
      case: name,
      metric: 'ratio',
      value: result.of('ours').ratio,
      goal,
      tol: 0.08,
      base: 'LIMIT2',
      noisy: result.noisy,
      note: ratios(result),
    });
  }
}
