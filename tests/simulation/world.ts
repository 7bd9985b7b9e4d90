import type { World } from '../schedules/remote/world.ts';
import { SimulatedRights } from './rights.ts';
import { Network } from './lane.ts';
import { SimulatedLink } from './link.ts';
import { actOnNode } from './node-steps.ts';
import { SimulatedNodes } from './nodes.ts';
import { replacePlatform } from './platform.ts';
import { Scheduler } from './scheduler.ts';
import { SimulatedStore, type StoreFault } from './store.ts';
import { Trace } from './trace.ts';

/** What is simulated, and how. */
export interface WorldOptions {
  readonly seed: string;
  /** How many nodes share the store. */
  readonly nodes: number;
  readonly fault?: StoreFault | undefined;
  /** Keeps every line of the trace. */
  readonly keepsTrace?: boolean | undefined;
}

/** A simulated world, with the parts that only a simulation has. */
export interface SimulatedWorld extends World {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly nodes: SimulatedNodes;
  readonly store: SimulatedStore;
  link(name?: string): SimulatedLink;
}

/** Begins a simulation: clients, nodes, the network between them and their store, in this process and in virtual time. */
export function openWorld({ seed, nodes: count, fault, keepsTrace }: WorldOptions): SimulatedWorld {
  const problems: string[] = [];
  const trace = new Trace(keepsTrace);
  const scheduler = new Scheduler(seed, trace);
  const restore = replacePlatform(scheduler, problems);
  const network = new Network(scheduler);
  const store = new SimulatedStore(network, trace, {
    isShared: count > 1,
    onTwoWriters: (what) => problems.push(what),
    fault,
  });
  const rights = new SimulatedRights();
  const nodes = new SimulatedNodes(count, {
    scheduler,
    store,
    accounts: rights,
    secret: 'a secret that is long enough for HS256',
    onError: (node, error) => trace.note(scheduler.time, `${node} reports ${String(error)}`),
  });
  const links: SimulatedLink[] = [];
  return {
    clock: scheduler,
    scheduler,
    trace,
    nodes,
    store,
    kept: store.kept,
    rights,
    problems,
    timing: { retryMs: 1000, silenceMs: 45_000, answerMs: 30_000 },
    link(name = `link ${links.length + 1}`) {
      const link = new SimulatedLink(name, {
        network,
        trace,
        nodes,
        onFlooded: () => problems.push('the server keeps writing to a stalled reader'),
      });
      links.push(link);
      return link;
    },
    server: {
      kill: () => nodes.kill(1, 'rst'),
      drain: () => nodes.drain(1),
      failWrite: () => nodes.at(1).store.next('fails'),
      hang: () => nodes.at(1).store.slow(20_000),
      mend: () => nodes.mend(),
    },
    act: (step) => actOnNode(nodes, step),
    moment: () => scheduler.pass(0),
    pass: (ms) => scheduler.pass(ms),
    until: (check, what) => scheduler.until(check, what),
    async close() {
      nodes.end();
      await scheduler.pass(0);
      restore();
    },
  };
}
