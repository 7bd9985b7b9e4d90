import { spawnSync } from 'node:child_process';
import type { Written } from './cases/stdout-writer.ts';
import { CASE_SCRIPT } from './fresh-process.ts';
import { report } from './report.ts';

const CASES = {
  '250B': { kind: 'delta250', count: 2000, goal: 2 },
  '1KB': { kind: 'assistant1k', count: 1000, goal: 1.5 },
  '100KB': { kind: 'toolResult', count: 20, goal: 0.95 },
};

type Results = Readonly<Record<string, Written>> & { readonly noisy: boolean };

/** W1: the cost of writing to stdout for an agent, with a process that reads from the other end of a pipe. */
export async function stdoutWriter(): Promise<void> {
  for (const [name, { kind, count, goal }] of Object.entries(CASES)) {
    const { noisy, ...results } = write(kind, count);
    const of = (way: string) => results[way] as Written;
    const text = (way: string) => `${way} ${of(way).cpu.toFixed(2)} us, ${of(way).writes.toPrecision(2)} writes`;
    const limit = of('stringify').cpu + of('raw bytes').cpu;
    const row = { id: 'W1', metric: 'ratio', tol: 0.1, noisy } as const;
    const figures = { limit: `${limit.toFixed(2)} us`, ours: text('ours'), peer: text('per message') };
    report({
      ...row,
      case: `${name}, compared with a write per message`,
      value: of('ours').toPerMessage,
      goal,
      base: 'a write per message',
      figures,
      note: Object.keys(results).map(text).join('; '),
    });
    report({
      ...row,
      case: `${name}, compared with JSON.stringify and raw bytes`,
      value: of('ours').cpu / limit,
      base: 'JSON.stringify and raw bytes',
      atMost: true,
      figures,
      ...(name === '250B' && { goal: 1.8 }),
    });
  }
}

function write(kind: string, count: number): Results {
  // Uses a shell, because the pipes of `spawn` are sockets, and writing to sockets has other costs.
  const pipeline = '"$0" --no-warnings "$1" stdout-writer "$2" "$3" | cat > /dev/null';
  const { stderr } = spawnSync('sh', ['-c', pipeline, process.execPath, CASE_SCRIPT, kind, String(count)], {
    encoding: 'utf8',
  });
  return JSON.parse(stderr) as Results;
}
