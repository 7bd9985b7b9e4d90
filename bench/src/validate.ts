import { parseLine } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';
import { type Candidate, compare } from './measure.ts';
import { known, recordings, TYPES } from './recordings.ts';
import { report } from './report.ts';
import { validators } from './validators.ts';

const GOALS: Readonly<Record<string, number>> = { stream_event: 0.2, assistant: 0.27 };
const OTHER_GOAL = 0.45;
const MIN_BYTES = 180;
// One definition takes it up to half a minute to compile.
const TYPES_OF_ARKTYPE: readonly string[] = ['stream_event', 'assistant'];

/** V1: what looking at a message costs, as a share of `JSON.parse`: at its envelope, and at all of it by its schema. */
export async function validate(): Promise<void> {
  const recorded = recordings();
  for (const type of TYPES) {
    const messages = known(recorded.get(type) ?? []).filter(({ text }) => text.length >= MIN_BYTES);
    const parsed = messages.map(({ text, direction }) => ({ value: JSON.parse(text) as unknown, direction }));
    const peers: Record<string, Candidate> = {};
    for (const [name, make] of Object.entries(validators)) {
      if (name === 'arktype' && !TYPES_OF_ARKTYPE.includes(type)) continue;
      const checks = parsed.map(({ value, direction }) => ({ value, passes: make(value as never, direction) }));
      peers[name] = each(checks, ({ value, passes }) => passes(value));
    }
    const result = await compare<string>(
      'JSON.parse',
      {
        'JSON.parse': each(messages, ({ text }) => JSON.parse(text) !== null),
        envelope: each(messages, ({ text }) => parseLine(text).message !== undefined),
        check: each(parsed, ({ value, direction }) => parseMessage(value, { direction }).kind === 'known'),
        ...peers,
      },
      messages.length,
      { peers: Object.keys(peers) },
    );
    const row = {
      id: 'V1',
      metric: 'ratio',
      tol: 0.15,
      base: 'JSON.parse',
      atMost: true,
      noisy: result.noisy,
    } as const;
    // The envelope is looked at in the same call that parses.
    report({ ...row, case: `${type} envelope`, value: Math.max(0, 1 / result.of('envelope').ratio - 1), goal: 0.03 });
    const shares = Object.keys(peers).map((name) => `${name} ${(1 / result.of(name).ratio).toPrecision(2)}`);
    const peer = shares.join(', ');
    const value = 1 / result.of('check').ratio;
    report({ ...row, case: `${type} check`, value, goal: GOALS[type] ?? OTHER_GOAL, figures: { peer }, note: peer });
    const toZod = result.between('check', 'zod by JSON Schema');
    report({
      ...row,
      case: `${type} check, to zod`,
      value: toZod,
      goal: 2.3,
      base: 'zod by JSON Schema',
      atMost: false,
    });
  }
}

function each<T>(items: readonly T[], passes: (item: T) => boolean): Candidate {
  return () => {
    let count = 0;
    for (const item of items) if (passes(item)) count++;
    return count;
  };
}
