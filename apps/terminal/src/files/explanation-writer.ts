import type { Finding } from '@proto/core/drift';
import { encodeLine } from '@proto/core/framing';
import type { Frame, Span, SpanStatus, Timeline } from '@proto/recording/timeline';
import { type FileNote, noteText } from './file-note.ts';
import { type Color, displayWidth, type Paint, plain, truncate } from '../view/terminal-text.ts';

/** A frame and its explanation. */
export interface ExplainedFrame {
  readonly frame: Frame;
  /** The number of the frame's line in the file. */
  readonly number: number;
  /** The content of the frame, in one line. */
  readonly text: string;
  /** The problems that the schemas find in the frame. */
  readonly findings: readonly Finding[];
}

/** The facts for the lines after the last frame. */
export interface ExplanationEnd {
  /** How many frames passed the filter. */
  readonly shown: number;
  /** The parts that no schema defines. Each part is listed once. */
  readonly drift: readonly Finding[];
}

/** Writes the explanation of a session. */
export interface ExplanationWriter {
  /** Returns the first line, which describes the kind of file if it is not the expected kind. */
  note(note: FileNote): string;
  /** Returns the lines of one frame. */
  frame(timeline: Timeline, explained: ExplainedFrame): string;
  /** Returns the last lines: the spans that are still open, the parts that no schema defines, and the counts. */
  end(timeline: Timeline, end: ExplanationEnd): string;
}

/** Creates a writer of one JSON object for each frame. The last line is the summary. */
export function explanationAsJson(): ExplanationWriter {
  return {
    note: (note) => encodeLine({ type: 'file', ...note }),
    frame(timeline, { frame, number, text, findings }) {
      const { time: t, dir, name, check, unmatched } = frame;
      const begins = [...timeline.begunBy(frame)].map((span) => spanAsJson(timeline, span));
      const ends = [...timeline.endedBy(frame)].map((span) => spanAsJson(timeline, span));
      const within = frame.within === undefined ? undefined : timeline.span(frame.within);
      return encodeLine({
        type: 'frame',
        frame: frame.index + 1,
        line: number,
        t,
        dir,
        name,
        text,
        ...(within && { within: within.index }),
        ...(begins.length > 0 && { begins }),
        ...(ends.length > 0 && { ends }),
        ...(unmatched && { unmatched }),
        ...(check !== 'known' && { check }),
        ...(findings.length > 0 && { findings }),
      });
    },
    end(timeline, { shown, drift }) {
      const open = [...timeline.open()].map((span) => spanAsJson(timeline, span));
      return encodeLine({ type: 'summary', shown, ...timeline.counts, cursors: timeline.cursors, open, drift });
    },
  };
}

function spanAsJson(timeline: Timeline, span: Span): object {
  const { index, kind, name, status, outcome, first, parent } = span;
  const ms = timeline.durationOf(span);
  return { span: index, kind, name, status, ...(outcome !== '' && { outcome }), frame: first + 1, parent, ms };
}

/** The layout of human-readable lines. */
export interface TextOptions {
  readonly columns: number;
  readonly paint: Paint;
}

/** Creates a writer of human-readable lines. */
export function explanationAsText(options: TextOptions): ExplanationWriter {
  return new ExplanationText(options);
}

const STATUS_COLORS: Readonly<Record<SpanStatus, Color>> = {
  open: 'yellow',
  ok: 'green',
  error: 'red',
  cancelled: 'yellow',
};
// The columns for names on a wide and on a narrow terminal.
const WIDE = { from: 120, nameColumns: 28 };
const NARROW_NAME_COLUMNS = 18;
const MIN_TEXT_COLUMNS = 16;

class ExplanationText implements ExplanationWriter {
  readonly #columns: number;
  readonly #nameColumns: number;
  readonly #paint: Paint;

  constructor({ columns, paint }: TextOptions) {
    this.#columns = columns;
    this.#nameColumns = columns >= WIDE.from ? WIDE.nameColumns : NARROW_NAME_COLUMNS;
    this.#paint = paint;
  }

  note(note: FileNote): string {
    return `${this.#paint('yellow', plain(noteText(note)))}\n`;
  }

  frame(timeline: Timeline, { frame, text, findings }: ExplainedFrame): string {
    const paint = this.#paint;
    const start = `${String(frame.index + 1).padStart(5)} ${timeText(frame.time)} ${senderOf(frame).padEnd(6)}`;
    const name = `${'  '.repeat(subagentDepthOf(timeline, frame))}${plain(shortName(frame.name))}`.padEnd(
      this.#nameColumns,
    );
    const notes = this.#notes(timeline, frame);
    const noteColumns = notes.reduce((sum, { note }) => sum + displayWidth(note) + 2, 0);
    const free = this.#columns - start.length - displayWidth(name) - 2;
    // If a note leaves no room for the text, the note is written to the next line.
    const isNoteOnLine = noteColumns <= free - MIN_TEXT_COLUMNS;
    const what = truncate(plain(text), Math.max(isNoteOnLine ? free - noteColumns : free, MIN_TEXT_COLUMNS));
    const line = [paint('dim', start), paint(colorOf(frame), name), what].join(' ').trimEnd();
    const noted = notes.map(({ note, color }) => `  ${paint(color, note)}`).join('');
    const problems = findings.map(({ path, message }) =>
      paint('red', plain(`! ${path ? `${path}: ` : ''}${message ?? ''}`)),
    );
    const below = [...(isNoteOnLine || noted === '' ? [] : [noted.trimStart()]), ...problems];
    return [
      `${line}${isNoteOnLine ? noted : ''}`,
      ...below.map((text) => `${' '.repeat(start.length + 1)}${text}`),
      '',
    ].join('\n');
  }

  end(timeline: Timeline, { shown, drift }: ExplanationEnd): string {
    const { frames, invalid, unmatched, lost, linksDown } = timeline.counts;
    const { gaps } = timeline.cursors;
    const open = [...timeline.open()].map((span) =>
      this.#paint('yellow', `open at the end: ${titleOf(span)}, since frame ${span.first + 1}`),
    );
    const unknown = drift.map(({ name, path, value, count }) =>
      plain(
        `unknown: ${[name, path].filter(Boolean).join(' ')}${value === undefined ? '' : ` = ${value}`} (${times(count)})`,
      ),
    );
    const counts = [
      shown === frames ? `${frames} frames` : `${shown} of ${frames} frames`,
      `${invalid} invalid`,
      `${unmatched} unmatched`,
      ...(lost > 0 ? [`${lost} lost`] : []),
      ...(linksDown > 0 ? [`the link broke ${times(linksDown)}`] : []),
      ...(gaps.length > 0
        ? [`messages may be missing at ${gaps.length} ${gaps.length === 1 ? 'place' : 'places'}`]
        : []),
    ];
    return [...open, ...unknown, counts.join(', ')].map((line) => `${line}\n`).join('');
  }

  #notes(timeline: Timeline, frame: Frame): { readonly note: string; readonly color: Color }[] {
    const begun = [...timeline.begunBy(frame)].map((span) => ({
      note: `[${titleOf(span)} begins]`,
      color: 'dim' as const,
    }));
    const ended = [...timeline.endedBy(frame)].map((span) => ({
      note: `[${endOf(span)}${durationText(timeline.durationOf(span))}]`,
      color: STATUS_COLORS[span.status],
    }));
    const unmatched = frame.unmatched
      ? [{ note: '[does not belong to an open request]', color: 'yellow' as const }]
      : [];
    return [...begun, ...ended, ...unmatched];
  }
}

function titleOf({ kind, name }: Span): string {
  return plain(kind === 'turn' || kind === 'request' ? name : `${kind} ${name}`);
}

/** Describes how a span ended. Except for a turn, the text contains the number of the frame with which the span began. */
function endOf(span: Span): string {
  const { kind, outcome, first } = span;
  const frame = `frame ${first + 1}`;
  if (kind === 'turn') return `${titleOf(span)} ends: ${plain(outcome)}`;
  if (kind === 'tool' || kind === 'subagent' || kind === 'task')
    return `${titleOf(span)} of ${frame} ends: ${plain(outcome)}`;
  return `${span.status === 'cancelled' ? 'withdraws' : 'answers'} ${titleOf(span)} of ${frame}`;
}

function durationText(ms: number | undefined): string {
  if (ms === undefined) return '';
  return `, after ${ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function timeText(ms: number | undefined): string {
  return ms === undefined ? ' '.repeat(10) : `${(ms / 1000).toFixed(3).padStart(8)} s`;
}

function senderOf({ dir }: Frame): string {
  if (dir === undefined) return '';
  return dir === 'from-host' ? 'host' : 'agent';
}

/** The name of a frame, without the type if the subtype is clear enough. */
function shortName(name: string): string {
  return name.replace(/^control_request\//, 'asks ').replace(/^control_response\//, 'answers ');
}

function colorOf({ check, kind }: Frame): Color {
  if (check === 'invalid') return 'red';
  return check === 'unknown' || kind === 'link' ? 'yellow' : 'cyan';
}

function subagentDepthOf(timeline: Timeline, frame: Frame): number {
  let depth = 0;
  for (let at = frame.within; at !== undefined; ) {
    const span = timeline.span(at);
    if (span.kind === 'subagent' && span.first !== frame.index) depth++;
    at = span.parent;
  }
  return depth;
}
