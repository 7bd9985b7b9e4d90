import type { Random } from '../schedules/random.ts';
import type { SimulatedNodes } from './nodes.ts';
import type { WRITE_FATES } from './store-connection.ts';

const HOUR_MS = 3_600_000;

/** The faults of a node, each with its relative frequency. */
const KINDS = [
  ['is killed', 3],
  ['loses power', 2],
  ['is drained', 1],
  ['stops', 4],
  ['jumps', 2],
  ['has a slow store', 3],
  ['next write fails', 2],
  ['next write is lost', 2],
] as const;

/** Faults that occur only with several nodes, whose connection to the store may break after a write. A file that reports a failed write has not stored it. */
const OF_SEVERAL = ['next write is lost'];

/** Draws a fault of a node as a step, such as `node 2 stops 12000` or `node 1 jumps -5000`. */
export function nodeStep(nodes: number, random: Random): string {
  const node = `node ${1 + Math.floor(random() * nodes)}`;
  const kinds = KINDS.filter(([kind]) => nodes > 1 || !OF_SEVERAL.includes(kind));
  let place = random() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
  const [kind = 'is killed'] = kinds.find(([, weight]) => (place -= weight) < 0) ?? [];
  const [luck, share] = [random(), random()];
  if (kind === 'jumps') {
    const ms = Math.round((luck < 0.7 ? 20_000 : 5 * HOUR_MS) * (2 * share - 1));
    return `${node} jumps ${ms}`;
  }
  // Durations that are longer and shorter than the duration of a claim.
  if (kind === 'stops') return `${node} stops ${Math.round(10 ** (2 + 2.6 * share))}`;
  if (kind === 'has a slow store') return `${node} has a slow store ${Math.round(10 ** (2 + 2.4 * share))}`;
  return `${node} ${kind}`;
}

/** Does a step that is a fault of a node. Returns false for any other step. */
export function actOnNode(nodes: SimulatedNodes, step: string): boolean {
  const [, number, what = '', ms] = /^node (\d) (.*?)(?: (-?\d+))?$/.exec(step) ?? [];
  if (number === undefined) return false;
  const node = Number(number);
  const [, fate] = /^next write (.*)$/.exec(what) ?? [];
  if (what === 'is killed') nodes.kill(node, 'rst');
  else if (what === 'loses power') nodes.kill(node, 'stall');
  else if (what === 'is drained') nodes.drain(node);
  else if (what === 'stops') nodes.stop(node, Number(ms));
  else if (what === 'jumps') nodes.jump(node, Number(ms));
  else if (what === 'has a slow store') nodes.at(node).store.slow(Number(ms));
  else if (fate !== undefined) nodes.at(node).store.next(fate as (typeof WRITE_FATES)[number]);
  else return false;
  return true;
}
