/** @typedef {import('./case-of-trace.mjs').Draft} Draft */

/** The events that can happen in a run, each with its text in titles and the requirements that it tests. Titles name the events in this order. */
const FEATURES = /** @type {const} */ ({
  'late-answer': ['two viewers answer one request', ['REM-35']],
  conflict: ['a worker sends after it has lost the lease', ['WRK-4', 'WRK-5']],
  'repeated-with-new': ['messages are repeated together with new ones', ['RES-7', 'RES-10', 'RES-27']],
  repeated: ['messages are repeated', ['RES-7', 'RES-10']],
  'late-request': ['a request arrives after its sender has given up on it', ['RES-10', 'RES-27']],
  'answer-lost': ['an answer is lost', ['RES-1', 'RES-7']],
  'request-lost': ['a request breaks off', ['RES-27']],
  'worker-resumes': ['a worker continues with its cursor', ['REM-22', 'EVS-26']],
  'viewer-resumes': ['a viewer continues with its cursor', ['REM-22', 'EVS-26', 'RES-29']],
  'lease-with-unsent': ['a worker takes the lease with messages that wait', ['WRK-1', 'RES-27']],
  lease: ['a worker takes the lease', ['WRK-1']],
});

/** The requirements of the end of every case, where one reader gets the whole log. */
const ALWAYS = ['RES-28', 'REM-9'];
const MOST_NAMED = 3;

/**
 * Chooses drafts so that each event happens in several of them. Short drafts are preferred.
 * @param {readonly Draft[]} drafts
 * @param {{ cases: number }} limits
 * @returns {readonly Draft[]}
 */
export function chosen(drafts, { cases }) {
  /** @type {Draft[]} */
  const taken = [];
  /** @type {Map<string, number>} How often each event happens in the drafts in `taken`. */
  const counts = new Map();
  const left = new Map(drafts.map((draft) => [JSON.stringify(draft.steps), draft]));
  // Rare events get a higher score, and each step lowers the score.
  const worth = (/** @type {Draft} */ { features, steps }) =>
    [...features].reduce((sum, feature) => sum + 1 / (1 + (counts.get(feature) ?? 0)) ** 2, 0) /
    Math.sqrt(steps.length);
  while (taken.length < cases && left.size > 0) {
    const [key, best] = [...left].reduce((a, b) => (worth(b[1]) > worth(a[1]) ? b : a));
    left.delete(key);
    taken.push(best);
    for (const feature of best.features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return taken;
}

/** The case of a draft, without its id. @param {Draft} draft @param {number} number Its number in titles. */
export function describeCase({ features, steps }, number) {
  const happens = Object.entries(FEATURES).filter(([feature]) => features.has(feature));
  const named = happens.slice(0, MOST_NAMED).map(([, [text]]) => text);
  const tried = new Set([...happens.slice(0, MOST_NAMED).flatMap(([, [, ids]]) => ids), ...ALWAYS]);
  const last = named.pop();
  const what = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  return {
    title: `Run ${number} of the model, in which ${what ?? 'nothing breaks'}: the server ends with the same log.`,
    // The log is checked at the end, so the requirements of the log come first. Other steps name their own requirements.
    spec: [...tried].toSorted((one, other) => Number(other.startsWith('RES')) - Number(one.startsWith('RES'))),
    steps,
  };
}
