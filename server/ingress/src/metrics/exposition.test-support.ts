export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"`;
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{((?:${LABEL})(?:,${LABEL})*)?,?\\})? (N[aA][nN]|[+-]Inf|[-+0-9.eE]+)(?: -?\\d+)?$`,
);
const SUFFIXES = /_(?:bucket|sum|count)$/;

/**
 * Parses the text format 0.0.4 of Prometheus by its grammar, and throws for what a collector would refuse: a line of no known form, a sample before
 * its TYPE, a series that occurs twice, samples of a metric that are not together, a histogram whose buckets fall or have no end.
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const series = new Set<string>();
  let current = '';
  const enter = (name: string) => {
    if (name !== current && families.has(name)) throw new Error(`${name} stands in two places`);
    current = name;
    const family = families.get(name) ?? { type: 'untyped', help: '', samples: [] };
    families.set(name, family);
    return family;
  };
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, described = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind !== undefined) {
      const family = enter(described);
      if (family.samples.length > 0) throw new Error(`${described}: ${kind} after its samples`);
      if (kind === 'HELP') family.help = rest;
      else family.type = rest;
      continue;
    }
    if (line.startsWith('#')) continue;
    const [, name, labelText = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    const owner = families.has(name) ? name : name.replace(SUFFIXES, '');
    const labels = Object.fromEntries(
      Array.from(labelText.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g), ([, key = '', said = '']) => [key, said]),
    );
    const id = `${name} ${JSON.stringify(sorted(labels))}`;
    if (series.has(id)) throw new Error(`twice: ${line}`);
    series.add(id);
    enter(owner).samples.push({ name, labels, value: numberOf(value ?? '') });
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkBuckets(name, family);
  return families;
}

function sorted(labels: Sample['labels']) {
  return Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function numberOf(text: string): number {
  if (text.endsWith('Inf')) return text.startsWith('-') ? -Infinity : Infinity;
  const value = Number(text);
  // Collectors accept `NaN` in upper and lower case.
  if (Number.isNaN(value) && text.toLowerCase() !== 'nan') throw new Error(`no number: ${text}`);
  return value;
}

function checkBuckets(name: string, { samples }: Family): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _, ...others } = sample.labels;
    const key = JSON.stringify(sorted(others));
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const buckets of groups.values()) {
    const rises = buckets.every(({ value }, at) => at === 0 || value >= (buckets[at - 1]?.value ?? 0));
    if (!rises || buckets.at(-1)?.labels['le'] !== '+Inf')
      throw new Error(`${name}: the buckets are not a distribution`);
  }
}
