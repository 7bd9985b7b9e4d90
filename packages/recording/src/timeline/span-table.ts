import { getOptional, type Names, PAGE_ROWS, Pages, setOptional } from './columns.ts';

/**
 * What a span represents. `turn`: a turn, from its prompt to its result. `request`: a control request and its answer. `permission`, `hook` and `mcp`:
 * a control request for a permission, a hook or an MCP message. `hook` is also used for a hook that the agent itself runs. `tool`: a tool call and
 * its result. `subagent`: a tool call that a subagent works for. `task`: a background task.
 */
export type SpanKind = 'turn' | 'request' | 'permission' | 'hook' | 'mcp' | 'tool' | 'subagent' | 'task';

/** The state of a span: still open, ended successfully, ended with an error, or cancelled or interrupted. */
export type SpanStatus = 'open' | 'ok' | 'error' | 'cancelled';

/** A part of a session, from the frame that begins it to the frame that ends it. */
export interface Span {
  /** The number of the span, counted from 0 in the order in which spans begin. */
  readonly index: number;
  /** What the span represents, such as a turn or a tool call. */
  readonly kind: SpanKind;
  /** The name of the span: the subtype of a request, the name of a tool, the MCP method, or the event of a hook. */
  readonly name: string;
  /** The state of the span at the last frame that was pushed. */
  readonly status: SpanStatus;
  /** How the span ended, as a word from the protocol such as `allow`, `success`, `error_max_turns` or `completed`. Empty while the span is open. */
  readonly outcome: string;
  /** The number of the frame that begins the span. */
  readonly first: number;
  /** The number of the frame that ends the span. Undefined while the span is open. */
  readonly last: number | undefined;
  /** The number of the span during which this span began, such as the turn that a tool call belongs to. */
  readonly parent: number | undefined;
  /** The number of the next span that ended with the same frame. */
  readonly nextEnded: number | undefined;
}

const KINDS: readonly SpanKind[] = ['turn', 'request', 'permission', 'hook', 'mcp', 'tool', 'subagent', 'task'];
const STATUSES: readonly SpanStatus[] = ['open', 'ok', 'error', 'cancelled'];

/** Creates the columns of the span table, with 22 bytes for each span. */
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

  /** The numbers of the open spans, oldest first. */
  get open(): ReadonlySet<number> {
    return this.#open;
  }

  /** Returns the number of the new span. */
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

  /** `nextEnded` is the span that previously ended with the same frame. */
  end(index: number, status: SpanStatus, outcome: string, last: number, nextEnded: number | undefined): void {
    const { page, row } = this.#pages.get(index);
    setOptional(page.last, row, last);
    setOptional(page.nextEnded, row, nextEnded);
    page.status[row] = STATUSES.indexOf(status);
    page.outcome[row] = this.#names.numberOf(outcome);
    this.#open.delete(index);
  }

  /** Removes a span from the set `open`. The status of the span stays `open`. */
  forget(index: number): void {
    this.#open.delete(index);
  }

  /** Marks a tool call as the work of a subagent, as soon as this is known. */
  becomeSubagent(index: number): void {
    const { page, row } = this.#pages.get(index);
    page.kind[row] = KINDS.indexOf('subagent');
  }

  /** @throws {RangeError} if the span does not exist */
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
