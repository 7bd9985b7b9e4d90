import { createFixtures, messages } from './fixtures.ts';
import { framerRatio } from './framer-ratio.ts';
import { ratios } from './measure.ts';
import { report } from './report.ts';

const TOTAL_BYTES = 2 * 1024 * 1024;
const KB = 1024;
// The sizes of the decoding windows, of a chunk from a pipe, and of the smallest string that V8 stores in its large object space.
const LINE_BORDERS = { '48KB': 48 * KB, '64KB': 64 * KB, '120KB': 120 * KB, '128KB': 128 * KB };
// The sizes of the largest chunk that is collected, of the smallest text that Node's own decoder decodes, and of the largest text that an unfinished
// line may keep in memory.
const CHUNK_BORDERS = { '128B': 128, '2KB': 2 * KB, '4KB': 4 * KB };

/** F7: sizes at which the framer changes its method. One byte more or less must not make a large difference. */
export async function framerBorders(): Promise<void> {
  const { assistant1k, lineOf, prose2k } = createFixtures();
  for (const [name, border] of Object.entries(LINE_BORDERS)) {
    for (const more of [-1, 0, 1]) {
      const lines = messages(() => lineOf(border + more), TOTAL_BYTES);
      await row(`line of ${name} ${signed(more)}`, lines, 0, 0.85);
    }
  }
  for (const [name, border] of Object.entries(CHUNK_BORDERS)) {
    for (const more of [-1, 0, 1]) {
      const goal = border < KB ? 0.58 : 0.75;
      await row(`1KB in chunks of ${name} ${signed(more)}`, messages(assistant1k, TOTAL_BYTES), border + more, goal);
      await row(`prose in chunks of ${name} ${signed(more)}`, messages(prose2k, TOTAL_BYTES), border + more, goal);
    }
  }
}

async function row(name: string, lines: readonly string[], chunkBytes: number, goal: number): Promise<void> {
  const result = await framerRatio(lines, chunkBytes);
  const value = result.of('ours').ratio;
  report({
    id: 'F7',
    case: name,
    metric: 'ratio',
    value,
    goal,
    tol: 0.05,
    base: 'LIMIT2',
    noisy: result.noisy,
    note: ratios(result),
  });
}

function signed(more: number): string {
  return more > 0 ? `+${more}` : String(more);
}
