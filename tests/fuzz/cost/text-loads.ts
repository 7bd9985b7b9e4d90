import type { Random } from '../../schedules/random.ts';
import { type Cut, CUTS, MOST_BYTES_OF_CUT } from './cuts.ts';
import { type Load, MOST_BYTES } from './load.ts';
import { BODY_PLACES, LINE_PLACES, type Place } from './places.ts';
import { BROKEN, ENTRIES, LINES, type Shape, VALUES } from './shapes.ts';
import { type Sender, setStage } from './stage.ts';
import { type Way, WAYS } from './ways.ts';

const SHAPES: Readonly<Record<string, Shape>> = { ...VALUES, ...BROKEN, ...ENTRIES, ...LINES };
const PLACES: Readonly<Record<string, Place>> = { ...BODY_PLACES, ...LINE_PLACES };
const waysByName: Readonly<Record<string, Way>> = WAYS;

/** The parts of a text load. */
export interface TextLoadParts {
  readonly sender: Sender;
  readonly way: string;
  readonly place: string;
  /** One shape, or several whose values stand side by side in a list. */
  readonly shapes: readonly string[];
  readonly cut: Cut;
}

/** Creates the load of these parts. */
export function textLoad(parts: TextLoadParts): Load {
  const { sender, way, place, shapes, cut } = parts;
  const [by, standing] = [waysByName[way], PLACES[place]];
  const made = shapes.map((name) => SHAPES[name]);
  if (by === undefined || standing === undefined || made.includes(undefined))
    throw new Error(`no such load: ${nameOf(parts)}`);
  const valueOf = (bytes: number) => {
    const values = made.map((shape) => (shape as Shape)(Math.floor(bytes / made.length)));
    return values.length === 1 ? (values[0] as string) : `[${values.join()}]`;
  };
  return {
    name: nameOf(parts),
    isBytes: true,
    least: 4096,
    most: Math.min(MOST_BYTES, MOST_BYTES_OF_CUT[cut] ?? MOST_BYTES),
    async prepare(server, size) {
      return by.prepare(await setStage(server), sender, standing(valueOf(size), by.list), cut);
    },
  };
}

/** Parses the name of a text load into its parts. Returns undefined for another name. */
export function partsOf(name: string): TextLoadParts | undefined {
  const [, sender, way, place, shapes, cut] = /^([^:]+): ([^,]+), ([^,]+), ([^,]+), ([^,]+)$/.exec(name) ?? [];
  if (sender === undefined || way === undefined || place === undefined || shapes === undefined) return undefined;
  return { sender: sender as Sender, way, place, shapes: shapes.split(' + '), cut: cut as Cut };
}

function nameOf({ sender, way, place, shapes, cut }: TextLoadParts): string {
  return `${sender}: ${way}, ${place}, ${shapes.join(' + ')}, ${cut}`;
}

/** Chooses parts at random. All ways are equally likely, and so are the senders of a way. */
export function randomParts(random: Random): TextLoadParts {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const way = pick(Object.keys(WAYS));
  const { senders, medium } = waysByName[way] as Way;
  const sender = pick(senders);
  const isWhole = random() < 0.6;
  if (medium === 'line') {
    const cut = isWhole ? 'whole' : pick(CUTS);
    if (random() < 0.5) return { sender, way, place: 'line', shapes: [pick(Object.keys(LINES))], cut };
    return { sender, way, place: pick(Object.keys(LINE_PLACES)), shapes: valuesAtRandom(random), cut };
  }
  const cut = isWhole ? 'whole' : pick(CUTS.slice(0, 4));
  if (random() < 0.3) return { sender, way, place: 'the list', shapes: [pick(Object.keys(ENTRIES))], cut };
  return { sender, way, place: pick(Object.keys(BODY_PLACES)), shapes: valuesAtRandom(random), cut };
}

function valuesAtRandom(random: Random): readonly string[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const kind = random();
  if (kind < 0.12) return [pick(Object.keys(BROKEN))];
  const values = Object.keys(VALUES);
  if (kind < 0.75) return [pick(values)];
  return Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(values));
}
