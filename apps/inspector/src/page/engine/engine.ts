import { type Frame, readEntries, type Span, Timeline, type TimelineCounts } from '@proto/recording/timeline';
import { type ByteSource, fileSource, piecesOf, SessionSource } from './byte-source.ts';
import { type CopiedAs, copyFrame } from './copy-frame.ts';
import { type ExplainedPlace, explainMessage } from './explain-message.ts';
import { exportRedacted, type RedactedRecording } from './export-recording.ts';
import { type FrameRow, rowOf, type RowSpan, spansOf } from './frame-rows.ts';
import { FrameTexts } from './frame-texts.ts';
import { childrenAt, type JsonChildren } from './json-nodes.ts';
import { issuesOf, loadSchemas, type MessageSchemas } from './message-schemas.ts';
import { figuresOf, type SessionFigures } from './session-figures.ts';
import { ShownFrames } from './shown-frames.ts';
import { Axis, layOutSpans, type SpanView } from './span-lanes.ts';

/** How far a recording has been read. */
export interface Progress {
  readonly frames: number;
  readonly shown: number;
  readonly spans: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly isReading: boolean;
  readonly isFiltering: boolean;
  readonly counts: TimelineCounts;
  /** The memory that the index uses, in bytes. */
  readonly indexBytes: number;
  readonly hasTimes: boolean;
  /** The start of the time axis. */
  readonly start: number;
  readonly end: number;
  /** The number of the agent's requests that are waiting for an answer. */
  readonly waiting: number;
  readonly failure: string | undefined;
}

/** The part of a frame that the details view shows first. */
export interface FrameDetails {
  readonly row: FrameRow;
  /** The number of characters of the line, or of the event as JSON. */
  readonly length: number;
  readonly isMessage: boolean;
  readonly root: JsonChildren;
  readonly issues: readonly string[];
}

/** A request from the agent that is waiting for an answer. */
export interface WaitingRequest {
  readonly frame: number;
  readonly kind: Span['kind'];
  readonly requestId: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const PROGRESS_INTERVAL_MS = 100;
const MAX_WAITING = 50;
const MAX_OPEN_LOOKED_AT = 5000;
// Longer requests are not listed. The user answers them in the details view, where the text is read in parts.
const MAX_REQUEST_BYTES = 2 ** 20;
// The longest line that published agents read.
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Reads a recording, and answers the page's questions about it. Runs in a worker, so the page stays responsive. */
export class Engine {
  readonly #onProgress: (progress: Progress) => void;
  #source: ByteSource = fileSource(new File([], 'nothing'));
  #timeline = new Timeline();
  #texts = new FrameTexts(this.#source);
  #shown = new ShownFrames(this.#timeline, this.#texts, () => this.#changed());
  #stop = new AbortController();
  #bytes = 0;
  #isReading = false;
  #failure: string | undefined;
  #isReportDue = false;
  #schemas: Promise<MessageSchemas> | undefined;

  constructor(onProgress: (progress: Progress) => void) {
    this.#onProgress = onProgress;
  }

  /** Opens a file, and closes the recording that was open before. */
  async openFile(file: File): Promise<void> {
    this.#open(fileSource(file));
  }

  /** Opens a session of the server. The page passes the state of the session to `sessionState`. */
  async openSession(name: string, url: string): Promise<void> {
    this.#open(new SessionSource(name, url));
  }

  async sessionState(state: { readonly bytes: number; readonly isEnded: boolean }): Promise<void> {
    if (this.#source instanceof SessionSource) this.#source.setState(state);
  }

  /** Sets the filter. Returns the problem if the filter is invalid. */
  async filter(text: string) {
    const wrong = this.#shown.filter(text);
    this.#changed();
    return wrong;
  }

  /** The frames at a range of positions in the list. */
  async rows(from: number, to: number): Promise<readonly FrameRow[]> {
    const end = Math.min(to, this.#shown.length);
    const frames = Array.from({ length: Math.max(0, end - from) }, (_, at) => this.#frame(this.#shown.at(from + at)));
    const timeline = this.#timeline;
    const summaries = await this.#texts.summaries(frames);
    return frames.map((frame, at) => rowOf(timeline, frame, summaries[at] ?? ''));
  }

  /** The position of a frame in the list. */
  async placeOf(index: number): Promise<number> {
    return this.#shown.placeOf(index);
  }

  /** The number of the frame at a position in the list; undefined after the end of the list. */
  async frameAtPlace(place: number): Promise<number | undefined> {
    return place >= 0 && place < this.#shown.length ? this.#shown.at(place) : undefined;
  }

  /** The frame at a position on the axis, or the next frame. */
  async frameAt(place: number): Promise<number> {
    return new Axis(this.#timeline).frameAt(place);
  }

  async axisPlaceOf(index: number): Promise<number> {
    return new Axis(this.#timeline).placeOf(index);
  }

  async details(index: number): Promise<FrameDetails | undefined> {
    if (index >= this.#timeline.length) return undefined;
    const frame = this.#frame(index);
    const [summary = ''] = await this.#texts.summaries([frame]);
    const { entry, message } = await this.#texts.read(frame);
    const row = rowOf(this.#timeline, frame, summary);
    const text = 'line' in entry ? entry.line : JSON.stringify(entry);
    const root = childrenAt(message ?? ('line' in entry ? undefined : entry), [], 0);
    return { row, length: text.length, isMessage: message !== undefined, root, issues: issuesOf(frame, message) };
  }

  /** The members of a value inside a frame. */
  async children(index: number, path: readonly string[], from: number): Promise<JsonChildren> {
    const { entry, message } = await this.#texts.read(this.#frame(index));
    return childrenAt(message ?? entry, path, from);
  }

  /** A part of the line of a frame, or of its event as JSON. */
  async text(index: number, from: number, to: number): Promise<string> {
    const { entry } = await this.#texts.read(this.#frame(index));
    return ('line' in entry ? entry.line : JSON.stringify(entry)).slice(from, to);
  }

  /** Explains a frame with the descriptions from the schemas. */
  async explain(index: number): Promise<readonly ExplainedPlace[]> {
    const frame = this.#frame(index);
    const { message } = await this.#texts.read(frame);
    if (message === undefined || frame.dir === undefined) return [];
    this.#schemas ??= loadSchemas();
    this.#schemas.catch(() => (this.#schemas = undefined));
    return explainMessage((await this.#schemas)[frame.dir], message);
  }

  /** The spans that begin or end with a frame. */
  async spans(index: number): Promise<readonly RowSpan[]> {
    return spansOf(this.#timeline, this.#frame(index));
  }

  /** A picture of a part of the timeline. */
  async timeline(view: { readonly from: number; readonly to: number; readonly width: number }): Promise<SpanView> {
    return layOutSpans(this.#timeline, view);
  }

  async figures(): Promise<SessionFigures> {
    return figuresOf(this.#timeline);
  }

  /** The agent's requests that are waiting for an answer, at most 50. */
  async waiting(): Promise<readonly WaitingRequest[]> {
    const waiting: WaitingRequest[] = [];
    for (const span of this.#openRequests()) {
      const frame = this.#frame(span.first);
      if (frame.bytes > MAX_REQUEST_BYTES || waiting.length >= MAX_WAITING) continue;
      const { message } = await this.#texts.read(frame);
      const { request_id: requestId, request } = message ?? {};
      if (typeof requestId !== 'string' || typeof request !== 'object' || request === null) continue;
      waiting.push({ frame: span.first, kind: span.kind, requestId, request: request as Record<string, unknown> });
    }
    return waiting;
  }

  /** Writes a frame and its related frames for the clipboard. */
  async copy(index: number, as: CopiedAs): Promise<string> {
    return copyFrame(this.#timeline, this.#texts, index, as);
  }

  /** Writes everything that was recorded, without secrets. */
  async export(): Promise<RedactedRecording> {
    return exportRedacted(this.#source, () => {});
  }

  *#openRequests(): Generator<Span, void> {
    let looked = 0;
    for (const span of this.#timeline.open()) {
      if (looked++ > MAX_OPEN_LOOKED_AT) return;
      const isRequest = ['permission', 'request', 'hook', 'mcp'].includes(span.kind);
      const { dir, name } = this.#frame(span.first);
      if (isRequest && dir === 'from-agent' && name.startsWith('control_request')) yield span;
    }
  }

  #frame(index: number): Frame {
    return this.#timeline.frame(index);
  }

  #open(source: ByteSource): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#source = source;
    this.#timeline = new Timeline();
    this.#texts = new FrameTexts(source);
    this.#shown = new ShownFrames(this.#timeline, this.#texts, () => this.#changed());
    this.#bytes = 0;
    this.#failure = undefined;
    void this.#read(source, this.#timeline, this.#stop.signal);
    this.#changed();
  }

  async #read(source: ByteSource, timeline: Timeline, signal: AbortSignal): Promise<void> {
    this.#isReading = true;
    try {
      for await (const { entry, offset, bytes } of readEntries(this.#pieces(source, signal), {
        maxLineBytes: MAX_LINE_BYTES,
      })) {
        if (signal.aborted) return;
        timeline.push(entry, { offset, bytes });
        this.#changed();
      }
    } catch (error) {
      if (!signal.aborted) this.#failure = error instanceof Error ? error.message : String(error);
    }
    if (signal.aborted) return;
    this.#isReading = false;
    this.#changed();
  }

  /** Yields the pieces of a source, and counts all their bytes, because a recording may begin with bytes that are not a frame. */
  async *#pieces(source: ByteSource, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
    for await (const piece of piecesOf(source, signal)) {
      yield piece;
      if (signal.aborted) return;
      this.#bytes += piece.length;
      this.#changed();
    }
  }

  /** Reports the progress to the page within 100 ms, at most ten times a second. */
  #changed(): void {
    if (this.#isReportDue) return;
    this.#isReportDue = true;
    setTimeout(() => {
      this.#isReportDue = false;
      this.#shown.look();
      this.#onProgress(this.#progress());
    }, PROGRESS_INTERVAL_MS);
  }

  #progress(): Progress {
    const axis = new Axis(this.#timeline);
    return {
      frames: this.#timeline.length,
      shown: this.#shown.length,
      spans: this.#timeline.spanCount,
      bytes: this.#bytes,
      totalBytes: this.#source.length,
      isReading: this.#isReading && this.#bytes < this.#source.length,
      isFiltering: this.#shown.isLooking,
      counts: this.#timeline.counts,
      indexBytes: this.#timeline.indexBytes + this.#shown.indexBytes,
      hasTimes: axis.hasTimes,
      start: axis.start,
      end: axis.end,
      waiting: [...this.#openRequests()].length,
      failure: this.#failure,
    };
  }
}
