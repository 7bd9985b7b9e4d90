import { type NodeContext, NodeRun } from './node-run.ts';

/** How long a node needs to start again. */
const START_MS = 500;

/** The nodes of a server, and their faults. Clients reach the nodes through a proxy that uses them in turn. */
export class SimulatedNodes {
  readonly #context: NodeContext;
  /** The current run of each node; undefined while a node is down. */
  readonly #runs: (NodeRun | undefined)[];
  readonly #count: number;
  #turn = 0;
  #generation = 0;
  #isOver = false;
  readonly #draining = new Set<NodeRun>();

  constructor(count: number, context: NodeContext) {
    this.#context = context;
    this.#count = count;
    this.#runs = Array.from({ length: count }, (_, index) => this.#start(index));
  }

  /** Returns the node that takes the next connection. The proxy skips nodes that are down, but cannot see that a node has stopped. */
  next(): NodeRun | undefined {
    for (let tries = 0; tries < this.#runs.length; tries++) {
      const run = this.#runs[this.#turn++ % this.#runs.length];
      if (run !== undefined) return run;
    }
    return undefined;
  }

  /** Returns the current run of the node with this address. */
  withUrl(url: string): NodeRun | undefined {
    return this.#runs.find((run) => run?.url === url);
  }

  /** Returns the current run of a node, or of any other node if that node is down. */
  at(number: number): NodeRun {
    const run = this.#runs[number - 1] ?? this.#runs.find((one) => one !== undefined);
    return run ?? (this.#runs[number - 1] = this.#start(number - 1));
  }

  /** Ends a node, and restarts it later. `stall`: its machine is gone, and its links stay open for their clients. */
  kill(number: number, how: 'rst' | 'stall'): void {
    const run = this.#runs[number - 1];
    if (run === undefined) return;
    this.#fault(how === 'rst' ? 'kill' : 'power loss', run.name);
    run.kill(how);
    this.#runs[number - 1] = undefined;
    const { scheduler } = this.#context;
    scheduler.after(START_MS, () => {
      if (!this.#isOver && this.#runs[number - 1] === undefined) this.#runs[number - 1] = this.#start(number - 1);
    });
  }

  /** Shuts a node down gracefully, and starts it again. */
  drain(number: number): void {
    const run = this.#runs[number - 1];
    if (run === undefined) return;
    this.#fault('drain', run.name);
    this.#draining.add(run);
    run.machine.enter(() => {
      void run.ingress.drain().then(() => {
        if (this.#runs[number - 1] === run) this.kill(number, 'rst');
      });
    });
  }

  /** Stops a node as SIGSTOP does, for so many milliseconds. */
  stop(number: number, ms: number): void {
    const run = this.#runs[number - 1];
    if (run === undefined || !run.machine.runs) return;
    this.#fault('stop', `${run.name} ${ms}`);
    run.machine.stop();
    this.#context.scheduler.after(ms, () => this.#wake(run));
  }

  jump(number: number, ms: number): void {
    const run = this.#runs[number - 1];
    if (run === undefined) return;
    this.#fault('clock jump', `${run.name} ${ms}`);
    run.machine.jump(ms);
  }

  /** Ends all faults: nodes that have stopped wake, and those that are shutting down start anew. */
  mend(): void {
    for (const [index, run] of this.#runs.entries()) {
      if (run !== undefined) this.#wake(run);
      run?.store.heal();
      if (run !== undefined && this.#draining.has(run)) this.kill(index + 1, 'rst');
    }
  }

  end(): void {
    this.#isOver = true;
    for (const run of this.#runs) run?.kill('stall');
  }

  #start(index: number): NodeRun {
    const url = this.#count > 1 ? `http://n${index + 1}` : undefined;
    return new NodeRun(`n${index + 1}.${++this.#generation}`, url, this.#context);
  }

  #wake(run: NodeRun): void {
    if (run.machine.runs || run.machine.isDead) return;
    this.#fault('wake', run.name);
    run.machine.wake();
  }

  #fault(kind: string, what: string): void {
    const { scheduler, store } = this.#context;
    store.trace.fault(scheduler.time, kind, what);
  }
}
