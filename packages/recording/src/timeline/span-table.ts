import { getOptional, type Names, PAGE_ROWS, Pages, setOptional } from './columns.ts';

/**
 * What a span is. `turn`: from a prompt to the result. `request`: a control request and its answer; `permission`, `hook` and `mcp` are control
 * requests about these. `tool`: a call of the model and its result; `subagent`: such a call for which a subagent works. `task`: a task
 * in the background. `hook` is also a hook that the agent runs by itself.
 */
export type SpanKind = 'turn' | 'request' | 'permission' | 'hook' | 'mcp' | 'tool' | 'subagent' | 'task';

/** The state of a span: still open, ended successfully, ended by an error, or withdrawn or interrupted. */
export type SpanStatus = 'open' | 'ok' | 'error' | 'cancelled';

/** Something that begins with one frame and ends with another. */
export interface Span {
  /** Counted from 0, in the order of beginning. */
  readonly index: number;
  /** What the span is, such as a turn or a tool call. */
  readonly kind: SpanKind;
  /** The subject of the span: the subtype of a request, the name of a tool, the method of MCP, the event of a hook. */
  readonly name: string;
  /** The state of the span at the last frame that was pushed. */
  readonly status: SpanStatus;
  /** How the span ended, as on the wire: `allow`, `deny`, `success`, `error_max_turns`, `completed`; empty while it is open. */
  readonly outcome: string;
  /** The number of the frame that begins the span. */
  readonly first: number;
  /** The number of the frame that ends the span; undefined while the span is open. */
  readonly last: number | undefined;
  /** The span in which this span began, such as the turn of a tool call. */
  readonly parent: number | undefined;
  /** The next span that ended with the same frame. */
  readonly nextEnded: number | undefined;
}

const KINDS: readonly SpanKind[] = ['turn', 'request', 'permission', 'hook', 'mcp', 'tool', 'subagent', 'task'];
const STATUSES: readonly SpanStatus[] = ['open', 'ok', 'error', 'cancelled'];

/** The columns of the spans: 22 bytes a span. */
const createPage = () => ({
  first: new Int32Array(PAGE_ROWS),
  last: new Int32Array(PAGE_ROWS),
  parent: new Int32Array(PAGE_ROWS),
  nextEnded: new Int32Array(PAGE_ROWS),
  name: new Uint16Array(PAGE_ROWS),
  outcome: new Uint16Array(PAGE_ROWS),
  kind: new Uint8Array(PAGE_ROWS),
  status: new Uint8Array(PAGE_ROWS),
});

/** The spans of a session in typed arrays. */
export class SpanTable {
  readonly #names: Names;
  readonly #pages = new Pages('span', createPage);
  readonly #open = new Set<number>();

  constructor(names: Names) {
    this.#names = names;
  }

  get length(): number {
    return this.#pages.length;
  }

  get indexBytes(): number {
    return this.#pages.bytes;
  }

  /** The numbers of the open spans, the oldest first. */
  get open(): ReadonlySet<number> {
    return this.#open;
  }

  /** Begins a span at a frame, and returns its number. */
  begin(kind: SpanKind, name: string, first: number, parent: number | undefined): number {
    const { index, page, row } = this.#pages.add();
    page.first[row] = first;
    setOptional(page.last, row, undefined);
    setOptional(page.parent, row, parent);
    setOptional(page.nextEnded, row, undefined);
    page.name[row] = this.#names.numberOf(name);
    page.outcome[row] = this.#names.numberOf('');
    page.kind[row] = KINDS.indexOf(kind);
    this.#open.add(index);
    return index;
  }

  /** Ends a span at a frame. `nextEnded` is the span that ended with the same frame before. */
  end(index: number, status: SpanStatus, outcome: string, last: number, nextEnded: number | undefined): void {
    const { page, row } = this.#pages.get(index);
    setOptional(page.last, row, last);
    setOptional(page.nextEnded, row, nextEnded);
    page.status[row] = STATUSES.indexOf(status);
    page.outcome[row] = this.#names.numberOf(outcome);
    this.#open.delete(index);
  }

  /** Removes a span from `open`; the status of the span stays `open`. */
  forget(index: number): void {
    this.#open.delete(index);
  }

  /** A call of a tool turns out to be the work of a subagent. */
  becomeSubagent(index: number): void {
    const { page, row } = this.#pages.get(index);
    page.kind[row] = KINDS.indexOf('subagent');
  }

  /** Returns a span. @throws {RangeError} if the span does not exist. */
  get(index: number): Span {
    const { page, row } = this.#pages.get(index);
    return {
      index,
      kind: KINDS[page.kind[row] as number] as SpanKind,
      name: this.#names.nameOf(page.name[row] as number),
      status: STATUSES[page.status[row] as number] as SpanStatus,
      outcome: this.#names.nameOf(page.outcome[row] as number),
      first: page.first[row] as number,
      last: getOptional(page.last, row),
      parent: getOptional(page.parent, row),
      nextEnded: getOptional(page.nextEnded, row),
    };
  }
}
