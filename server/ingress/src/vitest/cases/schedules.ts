import fc from 'fast-check';
import { expect } from 'vitest';
import { type EventLog, EventLogError } from '../../log/event-log.ts';
import { event, type EventLogCase } from '../event-log-under-test.ts';
import { type Call, emptyLog, type LogState, type Outcome, stateAfter } from '../log-model.ts';

/**
 * The condition under which a node writes in a step. `own`: with its last epoch, whether or not it still has the claim. `known`: after the event that
 * it last read. `stale`: after the event before that one.
 */
const condition = { epoch: fc.constantFrom('own', 'none'), after: fc.constantFrom('known', 'none', 'stale') };
const act = fc.oneof(
  fc.record({ kind: fc.constant('claim'), ttlMs: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('release') }),
  fc.record({
    kind: fc.constant('append'),
    ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }),
    ...condition,
  }),
  fc.record({ kind: fc.constant('document'), text: fc.constantFrom('x', 'y', 'z'), ...condition }),
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
/** In each step, one or both nodes act at the same time, and then time passes. A node that reads learns where the stream ends now. */
const step = fc.record({
  acts: fc.tuple(fc.option(act), fc.option(act)),
  reads: fc.tuple(fc.boolean(), fc.boolean()),
  passMs: fc.integer({ min: 0, max: 25 }),
});

/** A node of a schedule, whose knowledge may be outdated. */
class Node {
  readonly name: string;
  readonly log: EventLog;
  epoch = 0;
  known = 0;

  constructor(name: string, log: EventLog) {
    this.name = name;
    this.log = log;
  }

  callOf(wanted: Act): Call {
    if (wanted.kind === 'claim') return { kind: 'claim', node: this.name, ttlMs: wanted.ttlMs };
    if (wanted.kind === 'release') return { kind: 'release', epoch: this.epoch };
    const epoch = wanted.epoch === 'own' ? this.epoch : undefined;
    const after = wanted.after === 'none' ? undefined : this.known - (wanted.after === 'known' ? 0 : 1);
    return wanted.kind === 'append'
      ? { kind: 'append', ids: wanted.ids, epoch, after }
      : { kind: 'document', text: wanted.text, epoch, after };
  }

  async make(stream: string, call: Call): Promise<Outcome> {
    try {
      return { result: await this.#result(stream, call) };
    } catch (error) {
      if (EventLogError.is(error)) return { code: error.code };
      throw error;
    }
  }

  async #result(stream: string, call: Call): Promise<unknown> {
    if (call.kind === 'release') return this.log.release(stream, call.epoch);
    if (call.kind === 'document') return this.log.writeDocument(stream, 'd', call.text, call);
    if (call.kind === 'append') {
      const appended = await this.log.append(
        stream,
        call.ids.map((id) => event(id)),
        call,
      );
      return appended.map(({ id, sequence, duplicate }) => ({ id, sequence, duplicate }));
    }
    const result = await this.log.claim(stream, call.node, call.ttlMs);
    if (result.epoch !== undefined) this.epoch = result.epoch;
    return result;
  }
}

/** Returns the possible states after simultaneous calls, for each order that explains their outcomes. */
function explained(states: readonly LogState[], made: readonly (readonly [Call, Outcome])[], now: number): LogState[] {
  const orders = made.length === 2 ? [made, made.toReversed()] : [made];
  const after = states.flatMap((state) =>
    orders.map((order) =>
      order.reduce<LogState | undefined>((at, [call, outcome]) => at && stateAfter(at, call, outcome, now), state),
    ),
  );
  return after.filter((state) => state !== undefined);
}

/** Cases in which two nodes perform random actions in any order. */
export const schedules: readonly EventLogCase[] = [
  {
    title: 'if two nodes call at the same time, the outcome matches one order of their calls',
    async run({ log, other, options, pass }) {
      let runs = 0;
      const schedule = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const stream = `run ${++runs}`;
        const both = [new Node('a', log), new Node('b', other)] as const;
        let states: readonly LogState[] = [emptyLog];
        for (const { acts, reads, passMs } of steps) {
          const calls = both.flatMap((node, index) => {
            const wanted = acts[index];
            return wanted ? [[node, node.callOf(wanted)] as const] : [];
          });
          const made = await Promise.all(
            calls.map(async ([node, call]) => [call, await node.make(stream, call)] as const),
          );
          states = explained(states, made, options.now());
          const { events, last } = await log.read(stream, 0);
          const seen = JSON.stringify([events.map(({ id }) => id), await other.readDocument(stream, 'd')]);
          states = states.filter(({ ids, text }) => JSON.stringify([ids, text]) === seen);
          expect(states, `no order of the calls explains ${JSON.stringify(made)}, then ${seen}`).not.toEqual([]);
          for (const [index, node] of both.entries()) if (reads[index]) node.known = last;
          pass(passMs);
        }
      });
      await fc.assert(schedule, { numRuns: 100 });
    },
  },
];
