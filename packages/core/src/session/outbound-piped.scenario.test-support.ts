import assert from 'node:assert/strict';
import { outcomeOf, quiet, type Scenario } from '@proto/test-support';
import type { Batch } from '../transport/transport.ts';
import { createOutboundStream } from './outbound-queue.ts';

const STEPS = [
  'enqueue',
  'enqueue much',
  'emit',
  'a tick',
  'time passes',
  'sent',
  'done',
  'error',
  'link breaks',
] as const;
// Two of these fill a block.
const MUCH = 'x'.repeat(40_000);

/** An outbound stream that is piped to a transport: each message goes out once, in call order, one batch at a time. */
export const outboundPiped: Scenario<(typeof STEPS)[number]> = {
  name: 'outbound stream, piped',
  steps: STEPS,
  maxSteps: 24,
  async run(schedule) {
    const accepted: string[] = [];
    const batches: Batch[] = [];
    let inFlight: { resolve: () => void; reject: (reason: Error) => void } | undefined;
    let broken = false;
    const stream = createOutboundStream({ highWaterMarkBytes: 100 });
    const piped = outcomeOf(
      stream.pipeTo({
        send(batch) {
          assert.equal(inFlight, undefined, 'a batch was sent before the last one had settled');
          batches.push(batch);
          return new Promise<void>((resolve, reject) => (inFlight = { resolve, reject }));
        },
      }),
    );
    const emits: { readonly now: string | undefined }[] = [];
    let failed = false;
    let ended = false;

    const add = (message: object, queue: (message: object) => unknown) => {
      try {
        queue(message);
        accepted.push(JSON.stringify(message));
      } catch (error) {
        // A message may be refused only after the end.
        assert.ok(ended || broken, String(error));
      }
    };
    const settle = (how: 'resolve' | 'reject') => {
      const one = inFlight;
      inFlight = undefined;
      one?.[how](new Error('link broke'));
      return one !== undefined;
    };
    const actions: Readonly<Record<(typeof STEPS)[number], () => unknown>> = {
      enqueue: () => add({ n: accepted.length }, (message) => stream.enqueue(message)),
      'enqueue much': () => add({ n: accepted.length, MUCH }, (message) => stream.enqueue(message)),
      emit() {
        const closed = ended || broken;
        if (!closed) add({ n: accepted.length }, (message) => emits.push(outcomeOf(stream.emit(message))));
      },
      'a tick': () => Promise.resolve(),
      'time passes': quiet,
      sent: () => settle('resolve'),
      done() {
        ended = true;
        stream.end();
      },
      error() {
        failed ||= !ended && !broken;
        ended = true;
        stream.fail(new Error('failed'));
      },
      async 'link breaks'() {
        if (!settle('reject')) return;
        broken = true;
        // The stream notices the failure a little later.
        await quiet();
      },
    };
    for (const step of schedule) await actions[step]();
    stream.end();
    for (let open = true; open; ) {
      await quiet();
      open = settle('resolve');
    }
    await quiet();
    const said = batches.flatMap((batch) => Array.from(batch.messages(), ({ text }) => text));
    assert.deepEqual(said, accepted.slice(0, said.length));
    if (!broken) assert.equal(said.length, accepted.length);
    assert.equal(piped.now, broken ? 'rejected: link broke' : failed ? 'rejected: failed' : 'gave undefined');
    for (const { now } of emits) assert.ok(now === 'gave undefined' || (broken && now === 'rejected: link broke'), now);
    assert.deepEqual([stream.count, stream.bytes, stream.state], [0, 0, 'completed']);
  },
};
