/** The events of a simulation in order, and their hash. Two runs are the same if their hashes are equal. */
export class Trace {
  /** The last lines; all of them for a trace that is kept. */
  readonly lines: string[] = [];
  readonly #keeps: boolean;
  #hash = 0x811c9dc5;
  #count = 0;
  /** How often each kind of fault took effect. */
  readonly faults = new Map<string, number>();

  constructor(keeps = false) {
    this.#keeps = keeps;
  }

  get hash(): string {
    return `${this.#count}-${(this.#hash >>> 0).toString(16).padStart(8, '0')}`;
  }

  /** Notes that something happened at a time. */
  note(time: number, what: string): void {
    const line = `${time.toFixed(3)} ${what}`;
    this.#count++;
    for (let at = 0; at < line.length; at++) this.#hash = Math.imul(this.#hash ^ line.charCodeAt(at), 0x01000193);
    if (this.#keeps) this.lines.push(line);
  }

  /** Notes that a fault took effect: a link that was open broke, a request was lost, a node that ran stopped. */
  fault(time: number, kind: string, what: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
    this.note(time, `FAULT ${kind}: ${what}`);
  }

  get faultCount(): number {
    return [...this.faults.values()].reduce((sum, count) => sum + count, 0);
  }
}
