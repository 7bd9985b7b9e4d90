/** Tests how soon another node takes over the sessions of a node that is gone. */
import { expect, test } from 'vitest';
import { RawClient } from '../schedules/remote/raw-client.ts';
import { TTL_MS } from './node-run.ts';
import { openWorld, type SimulatedWorld } from './world.ts';

const SEEDS = 20;
/** Allowed in addition to the lifetime of the claim: attempts of the client that were under way, and their answers. */
const SPARE_MS = 1000;
const RETRY_MS = 100;

test.each(['is killed', 'loses power', 'is drained', 'stops 60000', 'jumps 3600000'])(
  'when the node that has a session %s, messages are stored again within the lifetime of a claim and a second',
  async (fault) => {
    const times: number[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) times.push(await takeover(`takeover ${seed}`, fault));
    expect(Math.max(...times)).toBeLessThanOrEqual(TTL_MS + SPARE_MS);
  },
  60_000,
);

/** Returns how many milliseconds pass until a message that a client sends after the fault is stored. */
async function takeover(seed: string, fault: string): Promise<number> {
  const world = openWorld({ seed, nodes: 3 });
  try {
    const session = String((await post(world, '/v1/code/sessions', {}))['id']);
    await post(world, `/v1/code/sessions/${session}/events`, message(1));
    const owner = world.store.writerOf(session)?.slice(1, 2);
    await world.pass(30_000);
    world.act?.(`node ${owner} ${fault}`);
    const before = world.clock.now();
    await post(world, `/v1/code/sessions/${session}/events`, message(2));
    expect(await world.kept.last(session)).toBe(2);
    expect(world.problems).toEqual([]);
    return world.clock.now() - before;
  } finally {
    await world.close();
  }
}

/** Sends a request until it is answered. An attempt that takes long is given up, and the next one goes to another node. */
async function post(world: SimulatedWorld, path: string, body: object): Promise<Record<string, unknown>> {
  const timing = { ...world.timing, retryMs: RETRY_MS, answerMs: SPARE_MS / 2 };
  const client = new RawClient({ ...world, timing }, world.link(), path, world.rights.token('owner'));
  let answered: Record<string, unknown> | undefined;
  void client.insist('', body).then((answer) => {
    answered = (answer?.body['session'] as Record<string, unknown> | undefined) ?? answer?.body;
  });
  await world.until(() => answered !== undefined, `there is an answer for ${path}`);
  return answered ?? {};
}

function message(n: number): object {
  return { events: [{ payload: { type: 'user', uuid: `message-${n}` } }] };
}
