import { figuresOf } from './figures.ts';
import { byteLines, chunks, createFixtures } from './fixtures.ts';
import { limit2, naive, ours, tryParse } from './framers.ts';
import { type Candidate, compare, ratios } from './measure.ts';
import { peerFramers } from './peer-framers.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const MB = 1024 * 1024;
// The time of most peers grows with the square of the line length: this line takes them several seconds.
const PEER_ROUNDS = 3;

/** F3: one line of many megabytes takes time in proportion to its size, and little more than decoding and parsing it. */
export async function framerBigline(): Promise<void> {
  await bigLineGate();
  for (const [megabytes, chunkBytes, goal] of [
    [1, 65_536, undefined],
    [10, 65_536, 1.2],
    [10, 2048, undefined],
  ] as const) {
    const { line, cut } = lineOf(megabytes, chunkBytes);
    const result = await compare('LIMIT2', { LIMIT2: limit2(byteLines(line)), ours: ours(cut) }, 1);
    report({
      id: 'F3',
      case: `${megabytes}MB/${chunkBytes / 1024}KB time`,
      metric: 'ratio',
      value: 1 / result.of('ours').ratio,
      tol: 0.08,
      base: 'LIMIT2',
      atMost: true,
      noisy: result.noisy,
      figures: figuresOf(result, { amount: megabytes, unit: 'MB/s' }, { limit: 'LIMIT2', ours: 'ours' }),
      note: ratios(result),
      ...(goal !== undefined && { goal }),
    });
  }
  await peers();
}

/** The row of F3 that is steady on a busy machine: how the time grows with the line. */
export async function bigLineGate(): Promise<void> {
  const small = lineOf(2, 65_536).cut;
  const large = lineOf(20, 65_536).cut;
  // Alternate between both, so that a disturbance slows both.
  const result = await compare('2 MB', { '2 MB': ours(small), '20 MB': ours(large) }, 1, { rounds: 7 });
  report({
    id: 'F3',
    case: 'exponent 2->20MB',
    metric: 'exponent',
    value: Math.log10(1 / result.of('20 MB').ratio),
    goal: 1.15,
    tol: 0.08,
    base: 'ours at 2 MB',
    atMost: true,
    hard: true,
    note: `20 MB in ${(1000 / result.of('20 MB').rate).toFixed(0)} ms`,
  });
}

async function peers(): Promise<void> {
  const { line, cut } = lineOf(10, 65_536);
  const candidates: Record<string, Candidate> = { ...peerFramers(cut), naive: naive(cut), 'try-parse': tryParse(cut) };
  const names = Object.keys(candidates);
  const all = { LIMIT2: limit2(byteLines(line)), ours: ours(cut), ...candidates };
  const result = await compare<string>('ours', all, 1, { rounds: PEER_ROUNDS, peers: names });
  const figures = figuresOf(result, { amount: 10, unit: 'MB/s' }, { limit: 'LIMIT2', ours: 'ours', peers: names });
  const row = { id: 'F3', metric: 'ratio', tol: 0.08, noisy: result.noisy } as const;
  const [peer = ''] = (figures.peer ?? '').split(' ');
  report({
    ...row,
    case: '10MB, compared with the fastest peer',
    value: figures.toPeer ?? 0,
    goal: 1,
    base: peer,
    peer,
    figures,
    note: ratios(result),
  });
  const split2 = versionOf('split2');
  report({
    ...row,
    case: '10MB, compared with split2',
    value: result.between('ours', 'split2'),
    goal: 30,
    base: split2,
    peer: split2,
  });
}

function lineOf(megabytes: number, chunkBytes: number): { readonly line: [string]; readonly cut: readonly Buffer[] } {
  const content = createFixtures()
    .code(100_000)
    .repeat(Math.round((megabytes * MB) / 100_000));
  const line: [string] = [JSON.stringify({ type: 'user', content })];
  return { line, cut: chunks(line, chunkBytes) };
}
