import { byteLines, chunks, createFixtures } from './fixtures.ts';
import { limit2, ours, splitStream } from './framers.ts';
import { compare, ratios } from './measure.ts';
import { report } from './report.ts';

/** F3: one line of many megabytes takes time in proportion to its size, and little more than decoding and parsing it. */
export async function framerBigline(): Promise<void> {
  const seconds = new Map<number, number>();
  for (const size of [1, 2, 5, 10, 20]) {
    const result = await measure(size, 65_536);
    seconds.set(size, 1 / result.of('ours').rate);
    const over = { goal: 1.2, tol: 0.08, atMost: true, noisy: result.noisy };
    report({
      id: 'F3',
      case: `${size}MB/64KB time`,
      metric: 'ratio',
      value: 1 / result.of('ours').ratio,
      base: 'LIMIT2',
      note: `${((seconds.get(size) as number) * 1000).toFixed(1)} ms  ${ratios(result)}`,
      ...(size === 10 ? over : {}),
    });
  }
  const small = await measure(10, 2048);
  report({
    id: 'F3',
    case: '10MB/2KB time',
    metric: 'ratio',
    value: 1 / small.of('ours').ratio,
    base: 'LIMIT2',
    note: ratios(small),
  });

  const line = lineOf(10);
  const cut = chunks(line, 65_536);
  const peer = await compare('split2', { split2: splitStream(cut), ours: ours(cut) }, 1);
  const base = 'split2@4.2.0';
  report({
    id: 'F3',
    case: '10MB/64KB to peer',
    metric: 'ratio',
    value: peer.of('ours').ratio,
    goal: 30,
    tol: 0.08,
    base,
    peer: base,
    noisy: peer.noisy,
  });

  const growth = (seconds.get(20) as number) / (seconds.get(2) as number);
  report({
    id: 'F3',
    case: 'exponent 2->20MB',
    metric: 'exponent',
    value: Math.log10(growth),
    goal: 1.15,
    tol: 0.08,
    base: 'ours at 2 MB',
    atMost: true,
    hard: true,
  });
}

function measure(megabytes: number, chunkBytes: number) {
  const line = lineOf(megabytes);
  return compare('LIMIT2', { LIMIT2: limit2(byteLines(line)), ours: ours(chunks(line, chunkBytes)) }, 1);
}

function lineOf(megabytes: number): [string] {
  return [
    JSON.stringify({
      type: 'user',
      content: createFixtures()
        .code(100_000)
        .repeat(10 * megabytes),
    }),
  ];
}
