import { figuresOf } from './figures.ts';
import { byteLines, chunks, createFixtures, messages } from './fixtures.ts';
import { limit2, ours } from './framers.ts';
import { compare, ratios } from './measure.ts';
import { peerFramers } from './peer-framers.ts';
import { report } from './report.ts';

const CHUNK_BYTES = { '64B': 64, '2KB': 2048, '64KB': 65_536 };
const ROUNDS = 7;

/** F2: framing and parsing against the packages that do the same. */
export async function framerPeers(): Promise<void> {
  const { delta100, assistant1k, toolResult, cjk1k, dash1k } = createFixtures();
  const toFastest: number[] = [];
  for (const [lineName, make] of Object.entries({
    '100B': delta100,
    '1KB': assistant1k,
    '100KB': toolResult,
    cjk1k,
    dash1k,
  })) {
    const isAscii = !['cjk1k', 'dash1k'].includes(lineName);
    for (const [chunkName, chunkBytes] of Object.entries(CHUNK_BYTES)) {
      if (!isAscii && chunkName === '64B') continue;
      // The time of most peers grows with the square of the line length here. Two lines are enough to show this.
      const totalBytes = lineName === '100KB' && chunkName === '64B' ? 150_000 : 1024 * 1024;
      const made = messages(make, totalBytes);
      const bytes = made.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      const cut = chunks(made, chunkBytes);
      const peers = peerFramers(cut);
      const names = Object.keys(peers);
      const candidates = { LIMIT2: limit2(byteLines(made)), ours: ours(cut), ...peers };
      const result = await compare<string>('LIMIT2', candidates, made.length, { rounds: ROUNDS, peers: names });
      const figures = figuresOf(
        result,
        { amount: bytes / 1e6, unit: 'MB/s' },
        { limit: 'LIMIT2', ours: 'ours', peers: names },
      );
      const value = figures.toPeer ?? 0;
      if (isAscii) toFastest.push(value);
      const peer = figures.peer ?? '';
      report({
        id: 'F2',
        case: `${lineName}/${chunkName}`,
        metric: 'ratio',
        value,
        goal: chunkName === '64B' ? 1.45 : 1.05,
        tol: 0.05,
        base: 'fastest peer',
        peer: peer.split(' ')[0] ?? '',
        noisy: result.noisy,
        figures,
        note: ratios(result),
      });
    }
  }
  const value = toFastest.reduce((product, ratio) => product * ratio, 1) ** (1 / toFastest.length);
  report({
    id: 'F2',
    case: 'mean of ASCII cells',
    metric: 'ratio',
    value,
    goal: 1.35,
    tol: 0.05,
    base: 'fastest peer',
  });
}
