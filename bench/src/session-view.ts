import type { WireMessage } from '@proto/core/framing';
import { createSessionView } from '@proto/host/view';
import { inFreshProcess } from './fresh-process.ts';
import { createFixtures } from './fixtures.ts';
import { type Candidate, compare, median } from './measure.ts';
import { report } from './report.ts';
import { viewedMessages } from './viewed-messages.ts';

const DELTAS = 2000;
const LONG = 10_000;
const SHORT = 10;
const LOADS = 7;

/** U1: the cost of showing a session: of each increment, and of opening a long conversation. */
export async function sessionView(): Promise<void> {
  const delta = JSON.parse(createFixtures().delta250()) as WireMessage;
  const candidates = {
    'ours, long session': viewed(LONG, delta),
    'ours, short session': viewed(SHORT, delta),
    'copied list, long session': copiedList(LONG, delta),
    'copied list, short session': copiedList(SHORT, delta),
  };
  const result = await compare('ours, long session', candidates, DELTAS);
  const us = (name: keyof typeof candidates) => 1e6 / (result.of(name).rate * DELTAS);
  const row = { id: 'U1', base: 'CPU time', atMost: true, noisy: result.noisy } as const;
  const peer = `copied list ${us('copied list, long session').toPrecision(3)} us`;
  const toPeer = result.between('ours, long session', 'copied list, long session');
  report({
    ...row,
    case: `increment of 250 B after ${LONG} messages`,
    metric: 'us',
    value: us('ours, long session'),
    goal: 3,
    figures: { peer, toPeer },
    note: result.names.map((name) => `${name} ${us(name).toPrecision(3)}`).join('  '),
  });
  const growth = us('ours, long session') / us('ours, short session');
  report({ ...row, case: 'increment, long to short session', metric: 'ratio', value: growth, goal: 1.2, tol: 0.15 });
  const loads = Array.from(
    { length: LOADS },
    () => inFreshProcess<{ readonly ms: number }>('view-load', [LONG], ['--expose-gc']).ms,
  );
  report({
    ...row,
    case: `opening ${LONG} messages in a new process`,
    metric: 'ms',
    value: median(loads),
    goal: 50,
    tol: 0.3,
    base: 'wall time',
  });
  report({
    ...row,
    case: `opening ${LONG} messages again`,
    metric: 'ms',
    value: opening(LONG),
    base: 'wall time',
    goal: 50,
  });
}

const START = {
  type: 'stream_event',
  event: { type: 'message_start', message: { id: 'm' } },
  parent_tool_use_id: null,
} satisfies WireMessage;
const BLOCK = {
  ...START,
  event: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
} satisfies WireMessage;

/** A page takes a snapshot after each increment. */
function viewed(count: number, delta: WireMessage): Candidate {
  const view = createSessionView();
  for (const message of viewedMessages(count)) view.track({ message });
  return () => {
    view.track({ message: START });
    view.track({ message: BLOCK });
    let texts = 0;
    for (let n = 0; n < DELTAS; n++) {
      view.track({ message: delta });
      texts += view.getSnapshot().streaming.length;
    }
    return texts;
  };
}

/** What most pages do: the list of all messages is copied for each increment, with a longer text in the last message. */
function copiedList(count: number, delta: WireMessage): Candidate {
  const { text } = Object(delta['event']).delta as { readonly text: string };
  const shown = viewedMessages(count).map(({ uuid, type }) => ({ id: uuid, type, text: '' }));
  return () => {
    let messages = [...shown, { id: 'm', type: 'assistant', text: '' }];
    let texts = 0;
    for (let n = 0; n < DELTAS; n++) {
      messages = messages.map((one) => (one.id === 'm' ? { ...one, text: one.text + text } : one));
      texts += messages.length - shown.length;
    }
    return texts;
  };
}

function opening(count: number): number {
  const messages = viewedMessages(count);
  const times = Array.from({ length: LOADS }, () => {
    const before = performance.now();
    const view = createSessionView();
    for (const message of messages) view.track({ message });
    if (view.getSnapshot().turns.length !== count / 5) throw new Error('the view is not complete');
    return performance.now() - before;
  });
  return median(times);
}
