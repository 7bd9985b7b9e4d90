import { byteLines, chunks, createFixtures, messages } from './fixtures.ts';
import { limit1, limit2, naive, ours, oursIterable, oursPlain } from './framers.ts';
import { peerFramers } from './peer-framers.ts';
import { type Candidate, compare, ratios } from './measure.ts';
import { report } from './report.ts';

const TOTAL_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = { line: 0, '64B': 64, '2KB': 2048, '64KB': 65_536, '1MB': 1_048_576 };
const GOALS = { line: 0.9, '64B': 0.58, '2KB': 0.92, '64KB': 1, '1MB': 1 };
const LONG_LINE_GOALS = { line: 0.9, '64B': 0.5, '2KB': 0.88, '64KB': 0.93, '1MB': 0.93 };

/** F1: framing and parsing against the physical limit, for each length of line and of chunk. */
export async function framerGrid(): Promise<void> {
  const { delta100, delta250, assistant1k, toolResult, mixed } = createFixtures();
  const lines = { '100B': delta100, '250B': delta250, '1KB': assistant1k, '100KB': toolResult, mixed };
  for (const [lineName, make] of Object.entries(lines)) {
    const goals = lineName === '100KB' ? LONG_LINE_GOALS : GOALS;
    const made = messages(make, TOTAL_BYTES);
    const ready = limit2(byteLines(made));
    for (const chunkName of Object.keys(CHUNK_BYTES) as (keyof typeof CHUNK_BYTES)[]) {
      const cut = chunks(made, CHUNK_BYTES[chunkName]);
      const candidates: Record<string, Candidate> = {
        LIMIT2: ready,
        LIMIT1: limit1(made),
        ours: ours(cut),
        Uint8Array: oursPlain(cut),
        iterable: oursIterable(cut),
      };
      // For long lines in small chunks, these two candidates take 50 and 300 times as long as the limit. That would take a minute and show nothing
      // new.
      if (lineName !== '100KB' || chunkName !== '64B')
        Object.assign(candidates, { naive: naive(cut), split2: peerFramers(cut)['split2'] });
      const others = Object.keys(candidates).filter((name) => name !== 'LIMIT2' && name !== 'ours');
      const result = await compare('LIMIT2', candidates, made.length, { peers: others });
      const text = (names: readonly string[]) =>
        names.flatMap((name) => (name in candidates ? `${name} ${result.of(name).ratio.toFixed(2)}` : [])).join(', ');
      report({
        id: 'F1',
        case: `${lineName}/${chunkName}`,
        metric: 'ratio',
        value: result.of('ours').ratio,
        goal: goals[chunkName],
        tol: 0.05,
        base: 'LIMIT2',
        peer: 'split2@4.2.0',
        noisy: result.noisy,
        figures: { limit: text(['LIMIT1']), ours: text(['Uint8Array', 'iterable']), peer: text(['naive', 'split2']) },
        note: ratios(result),
      });
    }
  }
}
