import type { Scenario } from '@proto/test-support';
import { BareWorker } from './bare-worker.ts';
import { checkSession, haveAllReceived } from './check-session.ts';
import { OwnViewer } from './own-viewer.ts';
import { byEither, byStream, type MakeWorker, workerBySocket, workerByStream } from './own-ways.ts';
import { OwnWorker } from './own-worker.ts';
import { type RawAnswer, RawClient } from './raw-client.ts';
import { RawViewer } from './raw-viewer.ts';
import { RawWorker } from './raw-worker.ts';
import { remotePassages } from './remote-passages.ts';
import { remoteSteps } from './remote-steps.ts';
import { SessionRecord } from './session-record.ts';
import type { Worker } from './worker.ts';
import { CUTS, type FATES, type LinkKind, type World } from './world.ts';

/** The number of small messages: more than a server reads when it loads a session, so that it must use a checkpoint. */
const VERY_MUCH = 520;

/** A session with workers and viewers, and faults of the clients, the server and the links. */
export function remoteSession(
  name: string,
  open: (schedule: readonly string[]) => World | Promise<World>,
  { maxSteps = 24, sockets = false }: { readonly maxSteps?: number; readonly sockets?: boolean } = {},
): Scenario {
  return {
    name,
    steps: remoteSteps(sockets),
    maxSteps,
    passages: remotePassages(sockets),
    async run(schedule) {
      const world = await open(schedule);
      try {
        await run(world, schedule, sockets);
      } finally {
        await world.close();
      }
    },
  };
}

async function run(world: World, schedule: readonly string[], sockets: boolean): Promise<void> {
  const session = await newSession(world);
  const record = new SessionRecord(world, session);
  const workers: Worker[] = [];
  // The workers take turns, so that each claims the lease from the other.
  const nextName = () => `worker-${workers.length + 1}`;
  const nextWorker = (make?: MakeWorker) => {
    const name = nextName();
    const isOwn = make !== undefined || workers.length % 2 === 0;
    workers.push(
      isOwn
        ? new OwnWorker(world, record, session, name, make ?? workerByStream)
        : new RawWorker(world, record, session, name),
    );
  };
  nextWorker();
  const worker = () => workers.at(-1) as Worker;
  const ann = new OwnViewer(world, record, session, 'ann', byStream);
  const eve = new RawViewer(world, record, session, 'eve', 'driver');
  // This viewer joins late.
  let ben: OwnViewer | undefined;
  let kind: LinkKind = 'websocket';
  const latecomer = () =>
    (ben ??= new OwnViewer(world, record, session, 'ben', sockets ? byEither(() => kind) : byStream));
  // This viewer may only answer the requests of the agent.
  let max: RawViewer | undefined;
  const approver = () => (max ??= new RawViewer(world, record, session, 'max', 'approver'));
  const viewer = (who: string) => {
    if (who === 'ann') return ann;
    if (who === 'eve') return eve;
    return who === 'max' ? approver() : latecomer();
  };
  const clientOf = (who: string) => {
    if (who === 'the worker') return worker();
    return who === 'the worker before' ? (workers.at(-2) ?? worker()) : viewer(who);
  };
  // A client gives up if the token that it got after a refusal is refused too. Therefore a token is valid for at least as long as an attempt may
  // take.
  const renewed = new Map<string, number>();
  const renew = (name: string) => {
    if (world.clock.now() - (renewed.get(name) ?? 0) < world.timing.answerMs) return false;
    renewed.set(name, world.clock.now());
    return world.rights.revoke(name);
  };
  const counts: Readonly<Record<string, number>> = { one: 1, three: 3, 'very much': VERY_MUCH };

  const actions: Readonly<Record<string, () => unknown>> = {
    'the worker says an increment': () => worker().increment(),
    'the worker streams': () => worker().stream(),
    'the worker asks': () => worker().ask(),
    'the worker takes back': () => worker().takeBack(),
    'the worker is done': () => worker().done(),
    'the worker answers': () => worker().answer(),
    'eve joins': () => eve.join(),
    'eve repeats': () => eve.repeat(),
    'eve answers again': () => eve.answerAgain(),
    'eve is shut out': () => eve.bar(false),
    'eve may only look on': () => eve.bar(true),
    'max joins': () => approver().join(),
    'ann is busy': () => ann.take(false),
    'ann is free': () => ann.take(true),
    'ann has another token': () => renew('ann'),
    'ben has another token': () => renew('ben'),
    'the worker starts again'() {
      worker().stop();
      nextWorker();
    },
    'another worker comes': () => nextWorker(),
    'another worker comes by socket': () => nextWorker(workerBySocket),
    'a published worker comes': () => workers.push(new BareWorker(world, record, session, nextName(), false)),
    'a published worker goes on': () => workers.push(new BareWorker(world, record, session, nextName(), true)),
    'the worker before is done': () => workers.at(-2)?.done(),
    // The current kind of link is refused permanently: the viewer continues with the other kind, and after a restart it begins with the kind that it
    // used last.
    'ben moves': () => latecomer().link.refuse?.(kind),
    'ben starts again'() {
      const { link } = latecomer();
      link.allow?.();
      kind = kind === 'websocket' ? 'sse' : 'websocket';
      latecomer().restart();
    },
    'the worker before says one': () => workers.at(-2)?.say(1),
    'the server is killed': () => world.server.kill(),
    'the server is drained': () => world.server.drain(),
    'a write fails': () => world.server.failWrite(),
    'the disk hangs': () => world.server.hang(),
    'a moment': () => world.moment(),
    'a tick': () => world.pass(1),
    'a bit of time': () => world.pass(6),
    'a second': () => world.pass(1000),
    'a minute': () => world.pass(60_000),
  };
  const act = (step: string): unknown => {
    const known = actions[step];
    if (known !== undefined) return known();
    if (world.act?.(step) === true) return undefined;
    const [, time] = /^wait (.*)$/.exec(step) ?? [];
    if (time !== undefined) return world.pass(Number(time));
    const [, who = '', count] = /^(.*) says (one|three|very much)$/.exec(step) ?? [];
    if (count !== undefined) return clientOf(who).say(counts[count] ?? 0);
    const [, person = '', deed] = /^(ann|ben|eve|max) (answers|starts again)$/.exec(step) ?? [];
    if (deed !== undefined) return deed === 'answers' ? viewer(person).answer() : viewer(person).restart();
    const [, client = '', what = ''] = /^(.*): (.*)$/.exec(step) ?? [];
    const { link } = clientOf(client);
    const [how, bytes] = what.split(' after ');
    const cut = CUTS.find((one) => one === how);
    if (cut !== undefined) return link.cut(cut, Number(bytes));
    if (what === 'reads' || what === 'does not read') return link.read(what === 'reads');
    if (how === 'body cut') return link.cutBody?.(Number(bytes));
    return link.next(what as (typeof FATES)[number]);
  };
  for (const step of schedule) await act(step);

  const viewers = [ann, eve, latecomer(), ...(max === undefined ? [] : [max])];
  ann.take(true);
  for (const { link } of [...viewers, ...workers]) link.heal();
  world.server.mend();
  const settled = () => viewers.every((one) => one.settled) && workers.every((one) => one.settled);
  do {
    // The workers may have claimed the lease from each other.
    if (workers.every(({ over }) => over)) nextWorker();
    await world.until(settled, 'the server has accepted all messages');
  } while (workers.every(({ over }) => over));
  let events = await world.kept.events(session);
  for (let known = -1; known < events.length; events = await world.kept.events(session)) {
    known = events.length;
    const so = [...events];
    const received = await haveAllReceived(record, so);
    await world.until(received, 'every reader has received all events').catch(async (error: unknown) => {
      await checkSession(record, so);
      throw error;
    });
    // Messages of a client that has left may still arrive.
    await world.pass(10);
  }
  await checkSession(record, events);
  for (const one of [...viewers, ...workers]) one.stop();
}

async function newSession(world: World): Promise<string> {
  let answer: RawAnswer | undefined;
  const client = new RawClient(world, world.link(), '/v1/code/sessions', world.rights.token('owner'));
  void client.insist('', {}).then((given) => (answer = given));
  await world.until(() => answer !== undefined, 'there is a session');
  return String((answer?.body['session'] as { id?: unknown } | undefined)?.id);
}
