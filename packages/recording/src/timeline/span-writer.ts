import { isText } from './members.ts';
import type { SpanKind, SpanStatus, SpanTable } from './span-table.ts';

export interface SpanChanges {
  readonly firstEnded: number | undefined;
  readonly unmatched: boolean;
}

export class SpanWriter {
  readonly #spans: SpanTable;
  #frame = 0;
  #firstEnded: number | undefined;
  #unmatched = false;

  constructor(spans: SpanTable) {
    this.#spans = spans;
  }

  /** Sets the frame at which spans begin and end. */
  at(frame: number): void {
    this.#frame = frame;
    this.#firstEnded = undefined;
    this.#unmatched = false;
  }

  get changes(): SpanChanges {
    return { firstEnded: this.#firstEnded, unmatched: this.#unmatched };
  }

  begin(kind: SpanKind, name: string, parent: number | undefined): number {
    return this.#spans.begin(kind, name, this.#frame, parent);
  }

  end(span: number, status: SpanStatus, outcome: unknown): void {
    this.#spans.end(span, status, isText(outcome) ? outcome : '', this.#frame, this.#firstEnded);
    this.#firstEnded = span;
  }

  /** If the span is undefined, the frame is marked as unmatched. */
  endMatched(span: number | undefined, status: SpanStatus, outcome: unknown): number | undefined {
    if (span === undefined) this.#unmatched = true;
    else this.end(span, status, outcome);
    return span;
  }

  becomeSubagent(span: number): void {
    this.#spans.becomeSubagent(span);
  }

  forget(span: number): void {
    this.#spans.forget(span);
  }
}

// A peer may open any number of requests that are never answered.
const MAX_OPEN = 100_000;

/** If 100 000 ids are open, further ids are not stored, so their spans stay open. */
export class OpenIds {
  readonly #spans = new Map<string, number>();
  readonly #writer: SpanWriter;

  constructor(writer: SpanWriter) {
    this.#writer = writer;
  }

  /** An older span with the same id stays open, because no later frame can end it. */
  open(id: unknown, span: number): void {
    if (typeof id !== 'string') return;
    const older = this.take(id);
    if (older !== undefined) this.#writer.forget(older);
    if (this.#spans.size < MAX_OPEN) this.#spans.set(id, span);
    else this.#writer.forget(span);
  }

  find(id: unknown): number | undefined {
    return typeof id === 'string' ? this.#spans.get(id) : undefined;
  }

  take(id: unknown): number | undefined {
    const span = this.find(id);
    if (span !== undefined) this.#spans.delete(id as string);
    return span;
  }
}
