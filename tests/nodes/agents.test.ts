/** Tests of the agents of `sjp serve -- AGENT` whose node is killed, or stops and wakes after other nodes have started their own agents. */
import { migratePostgres, openPostgresEventLog } from '@proto/log-postgres';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, onTestFinished, test } from 'vitest';
import { membersOf } from '../processes/start-host.ts';
import { until } from '../remote/until.ts';
import { insist } from './process-clients.ts';
import { ServedNode } from './served-node.ts';

const END_MS = 5000;

const database = postgresForTests();

async function startNode(): Promise<ServedNode> {
  const node = await ServedNode.start(database().url);
  onTestFinished(() => node[Symbol.asyncDispose]());
  return node;
}

const sessionsAt = ({ url }: ServedNode) => `${url}/v1/code/sessions`;

/** Makes a session at a node, which starts an agent for it. Fulfils when the agent has sent a message. */
async function sessionAt(node: ServedNode) {
  const { session } = (await insist(sessionsAt(node), {})) as { readonly session: { readonly id: string } };
  return { id: session.id, agent: await agentSays(node, session.id, 'begin') };
}

/** Sends a prompt to a session at a node. Fulfils with the process id of the agent when the log has something that this agent said. */
async function agentSays(node: ServedNode, session: string, prompt: string): Promise<number> {
  await insist(`${sessionsAt(node)}/${session}/events`, { events: [{ payload: { type: 'user', uuid: prompt } }] });
  await until(async () => (await logOf(session)).some((said) => said === `agent ${node.agentOf(session)}`));
  return node.agentOf(session) as number;
}

/** What was said in a session, in the order of the log: ids of prompts, and texts of agents. */
async function logOf(session: string): Promise<readonly string[]> {
  await using log = await openPostgresEventLog({ url: database().url });
  const said: string[] = [];
  for (let after = 0; ; ) {
    const { events, last } = await log.read(session, after);
    said.push(...events.map(({ id, payload }) => /agent \d+/.exec(payload)?.[0] ?? id));
    after = events.at(-1)?.sequence ?? last;
    if (after >= last) return said;
  }
}

/** Waits until nothing of an agent runs any more. Returns how long that took, in milliseconds. */
async function endOf(agent: number): Promise<number> {
  const begin = performance.now();
  await until(() => membersOf(agent).length === 0);
  return Math.round(performance.now() - begin);
}

describe.skipIf(!database.isInstalled)('agents of nodes that are processes', () => {
  test('an agent that ends by nothing is gone soon after the death or the waking of its node, and nothing that it says lands after the takeover', {
    timeout: 120_000,
  }, async () => {
    await migratePostgres({ url: database().url });
    const [first, second] = await Promise.all([startNode(), startNode()]);

    const stopped = await sessionAt(first);
    first.signal('SIGSTOP');
    const next = await agentSays(second, stopped.id, 'taken');
    expect(next).not.toBe(stopped.agent);
    expect(membersOf(stopped.agent)).toContain(stopped.agent);
    first.signal('SIGCONT');
    const afterWaking = await endOf(stopped.agent);
    expect(afterWaking).toBeLessThanOrEqual(END_MS);

    const killed = await sessionAt(second);
    second.signal('SIGKILL');
    const afterDeath = Math.max(...(await Promise.all([endOf(killed.agent), endOf(next)])));
    expect(afterDeath).toBeLessThanOrEqual(END_MS);
    console.log(`the agent ended ${afterWaking} ms after the waking of its node, ${afterDeath} ms after its death`);

    for (const { id, agent } of [stopped, killed]) {
      await agentSays(first, id, `at last ${id}`);
      const log = await logOf(id);
      const taken = log.indexOf(id === stopped.id ? 'taken' : `at last ${id}`);
      expect(log.slice(0, taken)).toContain(`agent ${agent}`);
      expect(log.slice(taken)).not.toContain(`agent ${agent}`);
    }
  });
});
