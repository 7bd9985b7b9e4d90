/**
 * What was visited since `begin`: each item that an iterator of a list, a map or a set has returned, and each item that a method of a list may have
 * looked at.
 */
export interface Visits {
  begin(): void;
  total(): number;
  /** The most visits between two turns of the event loop since `begin`. */
  most(): number;
  /** Fulfils after some turns of the event loop in which little was visited. */
  quiet(): Promise<void>;
  stop(): void;
}

const METHODS = ['map', 'filter', 'flatMap', 'forEach', 'some', 'every', 'find', 'findLast', 'reduce'] as const;
/** So many quiet turns in a row show that this process has nothing left to do. */
const QUIET_TURNS = 20;
const FEW_VISITS = 20;

type Patched = Record<string, (...given: unknown[]) => unknown>;

/** Counts visits in this process from `begin` to `stop`, of whatever code, so that the code need not be written for it. */
export function countVisits(): Visits {
  let [total, turn, most] = [0, 0, 0];
  const undo: (() => void)[] = [];
  let timer: NodeJS.Immediate | undefined;
  const visit = (count: number) => {
    total += count;
    turn += count;
  };
  const patch = (of: object, name: string, costOf: (self: unknown) => number) => {
    const methods = of as Patched;
    const original = methods[name] as Patched[string];
    methods[name] = function (this: unknown, ...given) {
      visit(costOf(this));
      return original.apply(this, given);
    };
    undo.push(() => void (methods[name] = original));
  };
  const endTurn = () => {
    most = Math.max(most, turn);
    turn = 0;
  };
  const look = () => {
    endTurn();
    timer = setImmediate(look);
  };
  const stop = () => {
    clearImmediate(timer);
    for (const each of undo.splice(0)) each();
  };
  return {
    begin() {
      stop();
      [total, turn, most] = [0, 0, 0];
      for (const values of [[], new Map(), new Set()]) {
        patch(Object.getPrototypeOf(values[Symbol.iterator]()) as object, 'next', () => 1);
      }
      for (const name of METHODS) patch(Array.prototype, name, (list) => (list as readonly unknown[]).length);
      for (const of of [Map.prototype, Set.prototype]) patch(of, 'forEach', (all) => (all as Set<unknown>).size);
      timer = setImmediate(look);
    },
    total: () => total,
    most() {
      endTurn();
      return most;
    },
    async quiet() {
      for (let quiet = 0; quiet < QUIET_TURNS; ) {
        const before = total;
        await new Promise((resolve) => setImmediate(resolve));
        quiet = total - before <= FEW_VISITS ? quiet + 1 : 0;
      }
    },
    stop,
  };
}
