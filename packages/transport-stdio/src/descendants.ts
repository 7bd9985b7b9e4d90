import { type ProcessRow, readLimits, readProcess, readProcesses, readStdioSockets } from './process-table.ts';
import type { System } from './system.ts';

export type ProcessSystem = Pick<System, 'platform' | 'readFolder' | 'readText' | 'readLink' | 'kill'>;

/**
 * The processes that a child has started, directly or indirectly. On Linux they are found in `/proc`, even if they have started new process groups or
 * sessions, which a signal to the child's group does not reach. On other systems no processes are found.
 *
 * A process is identified by its process id and its start time, so a later process with the same id is never signalled. Once found, a process stays
 * known after its parent has exited. A process whose parent had exited before the search is still found by one of the following:
 * - its session or group, if a known process has created that session or group
 * - its stdin, stdout or stderr, if it still shares one of these streams with the child
 * - the child's mark, a limit that each process passes on to the processes that it starts (see `watchParent`)
 */
export class Descendants {
  readonly #root: number;
  readonly #mark: RegExp | undefined;
  readonly #system: ProcessSystem;
  readonly #sockets: ReadonlySet<string>;
  /** The known processes: their start times, by process id. The child is one of these processes. Processes that have exited stay in this map. */
  readonly #known = new Map<number, number>();
  /** The ids of unrelated processes, so that most processes of the machine are read only once. */
  readonly #strangers = new Set<number>();
  /** The processes that have already received SIGTERM, which is sent only once to each process. */
  readonly #terminated = new Set<number>();

  /**
   * Reads the child from `/proc`, so this object must be created right after the child has started. If `mark` is `undefined`, processes are not
   * matched by their mark.
   */
  constructor(root: number, mark: string | undefined, system: ProcessSystem) {
    this.#root = root;
    this.#mark = mark === undefined ? undefined : new RegExp(`^Max file locks +${mark} `, 'm');
    this.#system = system;
    const row = system.platform === 'linux' ? readProcess(root, system) : undefined;
    if (row !== undefined) this.#known.set(root, row.start);
    this.#sockets = new Set(row === undefined ? [] : readStdioSockets(root, system));
  }

  /**
   * Searches for processes, and returns how many new processes were found. Blocks for about 30 µs per process: on the first call for every process of
   * the machine, and on later calls only for new processes.
   */
  collect(): number {
    const rootStart = this.#known.get(this.#root);
    if (rootStart === undefined) return 0;
    const table = readProcesses(this.#system, this.#strangers);
    // Descendants of the child start after the child, so processes that started earlier, such as this one, are left out.
    let others = [...table.values()].filter((row) => row.start >= rootStart && !this.#isKnown(row));
    for (const { pid, start } of table.values()) if (start < rootStart) this.#strangers.add(pid);
    const before = this.#known.size;
    others = this.#link(others, table);
    others = this.#link(
      this.#sift(others, (row) => this.#hasMarkOrSockets(row)),
      table,
    );
    for (const { pid } of others) this.#strangers.add(pid);
    return this.#known.size - before;
  }

  /**
   * Signals the known processes outside of the child's process group. (`signalTree` signals the group as a whole.) Returns whether any known process
   * is alive, inside or outside of the group, or `undefined` if this system cannot find out. Signal 0 only checks, and SIGTERM is sent only once to
   * each process. Zombies do not count as alive, nor do processes that may not be signalled because they changed their user.
   */
  signal(signal: 'SIGTERM' | 'SIGKILL' | 0): boolean | undefined {
    if (this.#known.size === 0) return undefined;
    let some = false;
    for (const pid of this.#known.keys()) {
      const row = readProcess(pid, this.#system);
      if (row === undefined || row.ended || !this.#isKnown(row)) continue;
      const onlyChecks = row.group === this.#root || (signal === 'SIGTERM' && this.#terminated.has(pid));
      try {
        this.#system.kill(pid, onlyChecks ? 0 : signal);
        if (signal === 'SIGTERM') this.#terminated.add(pid);
        some = true;
      } catch {
        // The process has just exited.
      }
    }
    return some;
  }

  #isKnown({ pid, start }: ProcessRow): boolean {
    return this.#known.get(pid) === start;
  }

  /** Returns the processes that do not pass the test. All others become known processes. */
  #sift(rows: readonly ProcessRow[], isOurs: (row: ProcessRow) => boolean): ProcessRow[] {
    return rows.filter((row) => {
      if (!isOurs(row)) return true;
      this.#known.set(row.pid, row.start);
      return false;
    });
  }

  /** Adds all direct and indirect descendants of known processes, and returns the other processes. */
  #link(rows: readonly ProcessRow[], table: ReadonlyMap<number, ProcessRow>): ProcessRow[] {
    const left = this.#sift(rows, (row) => {
      const parent = table.get(row.parent);
      if (parent !== undefined && this.#isKnown(parent)) return true;
      return this.#wasKnown(row.session, table) || this.#wasKnown(row.group, table);
    });
    return left.length === rows.length ? left : this.#link(left, table);
  }

  #hasMarkOrSockets({ pid, ended }: ProcessRow): boolean {
    if (ended) return false;
    if (this.#mark?.test(readLimits(pid, this.#system)) === true) return true;
    return readStdioSockets(pid, this.#system).some((name) => this.#sockets.has(name));
  }

  /**
   * Whether a process id belongs or belonged to a known process. The system does not assign the id of a session or group to a new process while the
   * session or group has members.
   */
  #wasKnown(pid: number, table: ReadonlyMap<number, ProcessRow>): boolean {
    const row = table.get(pid);
    return row === undefined ? this.#known.has(pid) : this.#isKnown(row);
  }
}
