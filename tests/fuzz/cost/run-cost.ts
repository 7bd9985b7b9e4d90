import { randomFrom } from '../../schedules/random.ts';
import { checkLoad, type CheckOptions, type Verdict } from './check-load.ts';
import type { Load } from './load.ts';
import { REQUEST_LOADS } from './request-loads.ts';
import { STATE_LOADS } from './state-loads.ts';
import { partsOf, randomParts, textLoad, type TextLoadParts } from './text-loads.ts';

const COUNTED: readonly Load[] = [...REQUEST_LOADS, ...STATE_LOADS];
/** One in so many loads counts items; the others count bytes, of which there are more kinds. */
const COUNTED_EVERY = 8;

/** Returns the load of a name. Throws if there is none. */
export function loadOf(name: string): Load {
  const counted = COUNTED.find((load) => load.name === name);
  if (counted !== undefined) return counted;
  const parts = partsOf(name);
  if (parts === undefined) throw new Error(`no such load: ${name}`);
  return textLoad(parts);
}

/** Yields the loads of a seed without end. */
export function* loadsOf(seed: number): Generator<{ readonly load: Load; readonly store: 'memory' | 'file' }> {
  for (let run = 0; ; run++) {
    const random = randomFrom(seed, 'cost', run);
    const store = random() < 0.75 ? 'memory' : 'file';
    const counted = COUNTED[Math.floor(random() * COUNTED.length)] as Load;
    yield { load: run % COUNTED_EVERY === 0 ? counted : textLoad(randomParts(random)), store };
  }
}

/** A verdict with the store under which it was found. */
export type Found = Verdict & { readonly store: 'memory' | 'file' };

/** Checks the loads of a seed until the time is up, or only the named load. */
export async function runCost(
  { seed, until, only }: { readonly seed: number; readonly until: number; readonly only?: string | undefined },
  onFound: (found: Found) => void,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  const loads = only === undefined ? loadsOf(seed) : [{ load: loadOf(only), store: 'memory' as const }];
  for (const { load, store } of loads) {
    if (performance.now() > until) break;
    const verdict = { ...(await smallest(load, { store })), store };
    onFound(verdict);
    if (verdict.problems.length > 0) found.push(verdict);
  }
  return found;
}

/** Checks a load. If a load that mixes shapes fails, finds the shape that causes the failure. */
async function smallest(load: Load, options: CheckOptions): Promise<Verdict> {
  const verdict = await attempt(load, options);
  const parts = partsOf(load.name);
  if (verdict.problems.length === 0 || parts === undefined) return verdict;
  for (const simpler of simplerOf(parts)) {
    const simple = await attempt(textLoad(simpler), options);
    if (simple.problems.length > 0) return simple;
  }
  return verdict;
}

function simplerOf(parts: TextLoadParts): readonly TextLoadParts[] {
  if (parts.shapes.length === 1 && parts.cut === 'whole') return [];
  const single = [...new Set(parts.shapes)].map((shape) => ({ ...parts, shapes: [shape], cut: 'whole' as const }));
  return parts.shapes.length === 1 ? single : [...single, { ...parts, cut: 'whole' as const }];
}

/** Turns a server that crashes or hangs into a finding. */
async function attempt(load: Load, options: CheckOptions): Promise<Verdict> {
  try {
    return await checkLoad(load, options);
  } catch (error) {
    return { name: load.name, costs: [], problems: [error instanceof Error ? error.message : String(error)] };
  }
}
