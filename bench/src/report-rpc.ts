import { short } from './figures.ts';
import type { RpcComparison } from './measure-rpc.ts';
import { versionOf } from './peer-versions.ts';
import { type Figures, report, type Row } from './report.ts';

/** Creates a row about the time of one request relative to a base. Less is better. */
export function reportP50(
  result: RpcComparison,
  row: Pick<Row, 'id' | 'goal'> & { readonly ours: string; readonly base: string; readonly peers: readonly string[] },
): void {
  const { ours, base, peers, ...rest } = row;
  const best = fastest(peers, (name) => -result.p50(name));
  const time = (name: string) => `p50 ${short(result.p50(name))} us, p99 ${short(result.p99(name))} us`;
  const figures: Figures = {
    limit: time(base),
    ours: time(ours),
    peer: `${versionOf(best)} ${time(best)}`,
    toPeer: result.p50Ratio(best, ours),
  };
  report({
    ...rest,
    case: `${ours}, one at a time`,
    metric: 'ratio',
    value: result.p50Ratio(ours, base),
    tol: 0.25,
    base,
    atMost: true,
    noisy: result.isNoisy('p50', [ours, base]),
    figures,
    note: [base, ours, ...peers].map((name) => `${name} ${short(result.p50(name))}`).join('  '),
  });
}

/** Creates a row about the rate with 100 open requests, relative to a base or to the best of several candidates. */
export function reportRate(
  result: RpcComparison,
  row: Pick<Row, 'id' | 'goal'> & {
    readonly ours: string;
    readonly base?: string;
    readonly limit: string;
    readonly peers: readonly string[];
  },
): void {
  const { ours, limit, peers, ...rest } = row;
  const best = fastest(peers, result.rate);
  const base = row.base ?? best;
  const figures: Figures = {
    limit: `${short(result.rate(limit))}/s`,
    ours: `${short(result.rate(ours))}/s`,
    peer: `${versionOf(best)} ${short(result.rate(best))}/s`,
    toPeer: result.rateRatio(ours, best),
  };
  report({
    ...rest,
    case: `${ours}, 100 at a time, compared with ${base}`,
    metric: 'ratio',
    value: result.rateRatio(ours, base),
    tol: 0.15,
    base: versionOf(base),
    noisy: result.isNoisy('rate', [ours, base]),
    figures,
    note: [limit, ours, ...peers].map((name) => `${name} ${short(result.rate(name))}`).join('  '),
  });
}

function fastest(names: readonly string[], speed: (name: string) => number): string {
  return names.reduce((best, name) => (speed(name) > speed(best) ? name : best));
}
