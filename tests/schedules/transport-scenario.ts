import assert from 'node:assert/strict';
import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { outcomeOf, quiet, type Scenario } from '@proto/test-support';

/** The two ends of one link, and the faults that the link can have. */
export interface TransportPair {
  readonly host: Transport;
  readonly agent: Transport;
  /** The faults of the link, by name, such as `hold` or `cut`. `mend` ends all of them. */
  readonly faults: Readonly<Record<string, () => unknown>>;
  /** Repairs the link, so that all messages sent can arrive. */
  mend(): void;
}

const STEPS = ['host sends', 'agent sends', 'host sends three', 'a tick', 'time passes', 'host ends', 'agent ends'];

/**
 * Two transports over one faulty link: each side receives the messages that the other side could send, once and in order, and every
 * promise settles. `faults` are the names of the faults that `open` offers.
 */
export function transportScenario(
  name: string,
  faults: readonly string[],
  open: () => TransportPair | Promise<TransportPair>,
): Scenario {
  return {
    name,
    steps: [...STEPS, ...faults],
    maxSteps: 24,
    async run(schedule) {
      const pair = await open();
      const host = follow(pair.host);
      const agent = follow(pair.agent);
      const actions: Readonly<Record<string, () => unknown>> = {
        'host sends': () => host.send(1),
        'agent sends': () => agent.send(1),
        'host sends three': () => host.send(3),
        'a tick': () => Promise.resolve(),
        'time passes': quiet,
        'host ends': () => host.end(),
        'agent ends': () => agent.end(),
        ...pair.faults,
      };
      for (const step of schedule) await actions[step]?.();
      pair.mend();
      host.end();
      agent.end();
      const ends = await Promise.all([pair.host.closed, pair.agent.closed]);
      for (const { error } of ends) assert.equal(error, undefined);
      assert.deepEqual(await host.received, agent.said);
      assert.deepEqual(await agent.received, host.said);
      await quiet();
      for (const { now } of [...host.sends, ...agent.sends]) assert.equal(now, 'gave undefined');
    },
  };
}

/** One side: the messages that it sent and received, and how its sends settled. */
function follow(transport: Transport) {
  const said: number[] = [];
  const sends: { readonly now: string | undefined }[] = [];
  let ended = false;
  return {
    said,
    sends,
    received: receiveAll(transport),
    send(count: number) {
      if (ended) return;
      const numbers = Array.from({ length: count }, (_, n) => said.length + n);
      said.push(...numbers);
      sends.push(outcomeOf(transport.send(encodeBatch(...numbers.map((n) => ({ type: 'test', n }))))));
    },
    end() {
      ended = true;
      void transport.end();
    },
  };
}

async function receiveAll(transport: Transport): Promise<number[]> {
  const received: number[] = [];
  for await (const item of flattenIncoming(transport.incoming)) {
    if (item.kind === 'message') received.push(item.read().message?.['n'] as number);
  }
  return received;
}
