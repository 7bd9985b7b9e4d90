import { parseLine } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';
import { createFixtures } from './fixtures.ts';
import { type Candidate, compare } from './measure.ts';
import { type Recorded, recordings, TYPES } from './recordings.ts';
import { report } from './report.ts';
import { validators } from './validators.ts';

const GOALS: Readonly<Record<string, number>> = {
  stream_event: 0.03,
  assistant: 0.12,
  user: 0.11,
  result: 0.12,
  system: 0.06,
  control_request: 0.09,
};
const OTHER_GOAL = 0.1;
const MIN_BYTES = 180;
// The library takes up to half a minute to compile one definition.
const TYPES_OF_ARKTYPE: readonly string[] = ['stream_event', 'assistant'];

/** V1: the cost of checking a message relative to `JSON.parse`: only its envelope, and the whole message with its schema. */
export async function validate(): Promise<void> {
  await textDelta();
  const recorded = recordings();
  for (const type of TYPES) {
    const messages = (recorded.get(type) ?? []).filter(({ text }) => text.length >= MIN_BYTES);
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
    // The call that parses also checks the envelope.
    report({ ...row, case: `${type} envelope`, value: Math.max(0, 1 / result.of('envelope').ratio - 1), goal: 0.03 });
    const shares = Object.keys(peers).map((name) => `${name} ${(1 / result.of(name).ratio).toPrecision(2)}`);
    const peer = shares.join(', ');
    const value = 1 / result.of('check').ratio;
    report({ ...row, case: `${type} check`, value, goal: GOALS[type] ?? OTHER_GOAL, figures: { peer }, note: peer });
    const toZod = result.between('check', 'zod by JSON Schema');
    report({
      ...row,
      case: `${type} check, compared with zod`,
      value: toZod,
      goal: 2.3,
      base: 'zod by JSON Schema',
      atMost: false,
    });
  }
  // This runs last: after a check has seen other objects, the engine optimises it less.
  await refused();
  await afterARefusal(recorded.get('stream_event') ?? []);
}

/** The message that agents send most often, measured separately. */
async function textDelta(): Promise<void> {
  const { delta250 } = createFixtures();
  // The message has the members that current agents send, so that the objects have the shape that programs see.
  const texts = Array.from({ length: 200 }, (_, n) => `${delta250().slice(0, -1)},"api_message_id":"msg_${1e8 + n}"}`);
  const values = texts.map((text) => JSON.parse(text) as unknown);
  const result = await compare<string>(
    'JSON.parse',
    {
      'JSON.parse': each(texts, (text) => JSON.parse(text) !== null),
      check: each(values, (value) => parseMessage(value, { direction: 'from-agent' }).kind === 'known'),
    },
    texts.length,
  );
  const value = 1 / result.of('check').ratio;
  const row = { id: 'V1', metric: 'ratio', tol: 0.15, base: 'JSON.parse', atMost: true, noisy: result.noisy } as const;
  report({ ...row, case: 'text delta of 280 B check', value, goal: 0.1 });
}

/** A message with an invalid required member: the check has to report the problem. */
async function refused(): Promise<void> {
  const texts = Array.from({ length: 50 }, createFixtures().assistant1k);
  const values = texts.map((text) => ({ ...(JSON.parse(text) as object), session_id: 5 }));
  const result = await compare<string>(
    'JSON.parse',
    {
      'JSON.parse': each(texts, (text) => JSON.parse(text) !== null),
      refused: each(values, (value) => parseMessage(value, { direction: 'from-agent' }).kind === 'invalid'),
    },
    texts.length,
  );
  const { rate } = result.of('refused');
  const row = { id: 'V1', metric: 'ms', tol: 0.5, base: 'one message', atMost: true, noisy: result.noisy } as const;
  report({ ...row, case: 'assistant of 1 KB refused', value: 1e3 / rate / texts.length, goal: 0.025 });
}

/** The most frequent type again, in a process that has already refused a message of this type: the engine then optimises the check less. */
async function afterARefusal(recorded: readonly Recorded[]): Promise<void> {
  const values = recorded.map(({ text }) => JSON.parse(text) as object);
  for (const value of values) parseMessage({ ...value, session_id: 5 }, { direction: 'from-agent' });
  const result = await compare<string>(
    'JSON.parse',
    {
      'JSON.parse': each(recorded, ({ text }) => JSON.parse(text) !== null),
      check: each(values, (value) => parseMessage(value, { direction: 'from-agent' }).kind === 'known'),
    },
    recorded.length,
  );
  const value = 1 / result.of('check').ratio;
  const row = { id: 'V1', metric: 'ratio', tol: 0.15, base: 'JSON.parse', atMost: true, noisy: result.noisy } as const;
  report({ ...row, case: 'stream_event check, after refusals', value });
}

function each<T>(items: readonly T[], passes: (item: T) => boolean): Candidate {
  return () => {
    let count = 0;
    for (const item of items) if (passes(item)) count++;
    return count;
  };
}
