import { type ProcessRow, readLimits, readProcess, readProcesses, readStdioSockets } from './process-table.ts';
import type { System } from './system.ts';

/** What looking at processes needs of a machine. */
export type ProcessSystem = Pick<System, 'platform' | 'readFolder' | 'readText' | 'readLink' | 'kill'>;

/**
 * What a child has started, and what that has started, on Linux: found in `/proc`, also in process groups and sessions of their own, which no
 * signal to the group of the child reaches. On other systems nothing is found.
 *
 * A process is known by its number and its start, so that one that was given the number of another later is never touched. What was
 * found once stays known after its parent has left. A process whose parent left before that is still found by one of these:
 * - the session or the group that it is in, when that was begun by a process that is known
 * - stdin, stdout or stderr, when it is still that of the child
 * - the mark of the child, a limit that the kernel hands on to everything a process starts (see `watchParent`)
 */
export class Descendants {
  readonly #root: number;
  readonly #mark: RegExp | undefined;
  readonly #system: ProcessSystem;
  readonly #sockets: ReadonlySet<string>;
  /** The starts of those known, by number: the child too, and those that are gone. */
  readonly #known = new Map<number, number>();
  /** The numbers of those that were there and are not ours, so that most of what there is is read once. */
  readonly #strangers = new Set<number>();
  /** Those that were sent SIGTERM: once is enough. */
  readonly #told = new Set<number>();

  /** Looks at the child at once: call it right after the start. Without a mark none is looked for. */
  constructor(root: number, mark: string | undefined, system: ProcessSystem) {
    this.#root = root;
    this.#mark = mark === undefined ? undefined : new RegExp(`^Max file locks +${mark} `, 'm');
    this.#system = system;
    const row = system.platform === 'linux' ? readProcess(root, system) : undefined;
    if (row !== undefined) this.#known.set(root, row.start);
    this.#sockets = new Set(row === undefined ? [] : readStdioSockets(root, system));
  }

  /**
   * Looks who is there, and gives how many were found that were not known. It blocks: the first time about 30 µs for each process of the
   * machine, then for each that is new.
   */
  collect(): number {
    const rootStart = this.#known.get(this.#root);
    if (rootStart === undefined) return 0;
    const table = readProcesses(this.#system, this.#strangers);
    // Whoever is started by another starts after it: the host and all that was there before are none of these.
    let others = [...table.values()].filter((row) => row.start >= rootStart && !this.#isKnown(row));
    for (const { pid, start } of table.values()) if (start < rootStart) this.#strangers.add(pid);
    const before = this.#known.size;
    others = this.#link(others, table);
    others = this.#link(
      this.#sift(others, (row) => this.#isAlike(row)),
      table,
    );
    for (const { pid } of others) this.#strangers.add(pid);
    return this.#known.size - before;
  }

  /**
   * Signals those known that are not in the process group of the child, which is signalled as a whole. Gives whether any of those known
   * lives, in the group or not; undefined where this system does not tell. 0 only asks, and SIGTERM is sent once to each. Who may not be
   * signalled, because it has become another user's, does not count, and neither does one that nobody has reaped.
   */
  signal(signal: 'SIGTERM' | 'SIGKILL' | 0): boolean | undefined {
    if (this.#known.size === 0) return undefined;
    let some = false;
    for (const pid of this.#known.keys()) {
      const row = readProcess(pid, this.#system);
      if (row === undefined || row.ended || !this.#isKnown(row)) continue;
      const isTold = row.group === this.#root || (signal === 'SIGTERM' && this.#told.has(pid));
      try {
        this.#system.kill(pid, isTold ? 0 : signal);
        if (signal === 'SIGTERM') this.#told.add(pid);
        some = true;
      } catch {
        // It has just left.
      }
    }
    return some;
  }

  #isKnown({ pid, start }: ProcessRow): boolean {
    return this.#known.get(pid) === start;
  }

  /** Knows those from now on that a test tells from the others; gives the others. */
  #sift(rows: readonly ProcessRow[], isOurs: (row: ProcessRow) => boolean): ProcessRow[] {
    return rows.filter((row) => {
      if (!isOurs(row)) return true;
      this.#known.set(row.pid, row.start);
      return false;
    });
  }

  /** The same for all that come from one that is known, over any number of others. */
  #link(rows: readonly ProcessRow[], table: ReadonlyMap<number, ProcessRow>): ProcessRow[] {
    const left = this.#sift(rows, (row) => {
      const parent = table.get(row.parent);
      if (parent !== undefined && this.#isKnown(parent)) return true;
      return this.#wasKnown(row.session, table) || this.#wasKnown(row.group, table);
    });
    return left.length === rows.length ? left : this.#link(left, table);
  }

  /** Whether it has what only a descendant has. */
  #isAlike({ pid, ended }: ProcessRow): boolean {
    if (ended) return false;
    if (this.#mark?.test(readLimits(pid, this.#system)) === true) return true;
    return readStdioSockets(pid, this.#system).some((name) => this.#sockets.has(name));
  }

  /** Whether a number is that of a known process, or was: while a session or group has members nobody else is given its number. */
  #wasKnown(pid: number, table: ReadonlyMap<number, ProcessRow>): boolean {
    const row = table.get(pid);
    return row === undefined ? this.#known.has(pid) : this.#isKnown(row);
  }
}
