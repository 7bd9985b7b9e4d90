import { createFixtures, messages } from '../fixtures.ts';
import { framerRatio } from '../framer-ratio.ts';

/** Framing and parsing in a program, relative to the limit in the same program. */
export interface FramerRows {
  /** The program and its version. */
  readonly runtime: string;
  readonly rows: readonly {
    readonly name: string;
    readonly chunks: string;
    readonly ratio: number;
    readonly noisy: boolean;
  }[];
}

const TOTAL_BYTES = 1024 * 1024;
const CHUNK_BYTES = { line: 0, '2KB': 2048, '64KB': 65_536 };

/** Measures the messages of a usual session, each kind by itself. */
export async function run(): Promise<FramerRows> {
  const { delta100, delta250, assistant1k, toolResult3k, control, result, toolResult, cjk1k } = createFixtures();
  const rows: FramerRows['rows'][number][] = [];
  for (const [name, make] of Object.entries({
    'delta 100B': delta100,
    'delta 250B': delta250,
    'assistant 1KB': assistant1k,
    'tool result 3KB': toolResult3k,
    'tool result 100KB': toolResult,
    'control request': control,
    result,
    'assistant, CJK': cjk1k,
  })) {
    for (const [chunks, chunkBytes] of Object.entries(CHUNK_BYTES)) {
      const compared = await framerRatio(messages(make, TOTAL_BYTES), chunkBytes);
      rows.push({ name, chunks, ratio: compared.of('ours').ratio, noisy: compared.noisy });
    }
  }
  const { bun } = process.versions;
  return { runtime: bun === undefined ? `node ${process.versions.node}` : `bun ${bun}`, rows };
}
