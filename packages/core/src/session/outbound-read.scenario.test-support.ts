import assert from 'node:assert/strict';
import { outcomeOf, quiet, type Scenario } from '@proto/test-support';
import { createOutboundStream } from './outbound-queue.ts';

const STEPS = ['enqueue', 'emit', 'next', 'time passes', 'done', 'error', 'leave'] as const;
const CLOSED = 'rejected: Stream closed';
const DONE = 'end';

/** An outbound stream with a `for await` reader: each `next` gets the result that its place in the call order determines. */
export const outboundRead: Scenario<(typeof STEPS)[number]> = {
  name: 'outbound stream, read',
  steps: STEPS,
  maxSteps: 16,
  async run(schedule) {
    let left = 0;
    const stream = createOutboundStream({ highWaterMarkBytes: 20, onReturn: () => void left++ });
    const reader = stream[Symbol.asyncIterator]();
    // The model: the buffer, the pending reads, how the stream ended, and the expected result of each call.
    const buffered: string[] = [];
    const waiting: number[] = [];
    const expected: string[] = [];
    let ended: typeof DONE | 'error' | undefined;
    let gone = false;
    let leaves = 0;
    let sent = 0;

    const reads: { readonly now: string | undefined }[] = [];
    const emits: { readonly now: string | undefined }[] = [];

    const take = () => {
      const message = { n: sent++ };
      const text = JSON.stringify(message);
      const place = waiting.shift();
      if (place !== undefined) expected[place] = text;
      else if (ended === undefined) buffered.push(text);
      return message;
    };
    const end = (how: typeof DONE | 'error') => {
      if (ended !== undefined) return;
      ended = how;
      for (const place of waiting.splice(0)) expected[place] = how;
    };
    const leave = async () => {
      if (!gone && (buffered.length > 0 || ended === undefined)) leaves++;
      buffered.length = 0;
      end(DONE);
      gone = true;
      await reader.return?.();
    };
    const actions: Readonly<Record<(typeof STEPS)[number], () => unknown>> = {
      enqueue() {
        const refused = ended !== undefined;
        const message = take();
        if (refused) assert.throws(() => stream.enqueue(message), { code: 'closed' });
        else stream.enqueue(message);
      },
      emit() {
        const refused = ended !== undefined;
        const emitted = outcomeOf(stream.emit(take()));
        emits.push(refused ? { now: CLOSED } : emitted);
      },
      next() {
        const text = buffered.shift();
        if (text === undefined && ended === undefined) waiting.push(reads.length);
        expected[reads.length] = text ?? (gone ? DONE : (ended ?? 'open'));
        reads.push(outcomeOf(reader.next().then(({ done, value }) => (done === true ? DONE : value.text))));
      },
      'time passes': quiet,
      done() {
        end(DONE);
        stream.end();
      },
      error() {
        end('error');
        stream.fail(new Error('broken'));
      },
      leave,
    };
    for (const step of [...schedule, 'leave', 'time passes'] as const) {
      await (step === 'time passes' || step === 'leave' ? actions[step]() : void actions[step]());
      assert.equal(stream.count, buffered.length);
    }
    const texts: Readonly<Record<string, string>> = {
      [DONE]: `gave ${JSON.stringify(DONE)}`,
      error: 'rejected: broken',
    };
    assert.deepEqual(
      reads.map(({ now }) => now),
      expected.map((text) => texts[text] ?? `gave ${JSON.stringify(text)}`),
    );
    for (const { now } of emits) assert.ok(now === 'gave undefined' || now === CLOSED, `emit has the outcome ${now}`);
    assert.equal(left, leaves);
    assert.equal(stream.bytes, 0);
  },
};
