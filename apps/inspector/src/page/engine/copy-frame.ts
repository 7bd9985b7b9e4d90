import type { Timeline } from '@proto/recording/timeline';
import { caseOf, type CopiedMessage } from './conformance-case.ts';
import { spansOf } from './frame-rows.ts';
import type { FrameTexts } from './frame-texts.ts';

/** What is copied to the clipboard: lines as sent on the wire, or a case for the conformance suite. */
export type CopiedAs = 'fixture' | 'case';

// A fixture or case with more messages would not be useful.
const MAX_COPIED = 500;
const MAX_LOOKED_AT = 50_000;
/** The number of frames that are searched for `initialize`. A host sends this request first. */
const MAX_BEFORE_INITIALIZE = 100;

/** Writes a frame and its related frames for the clipboard. */
export async function copyFrame(timeline: Timeline, texts: FrameTexts, index: number, as: CopiedAs): Promise<string> {
  if (as === 'fixture') return fixtureOf(await messagesAt(timeline, texts, fixtureFrames(timeline, index)));
  const messages = await messagesAt(timeline, texts, caseFrames(timeline, index));
  return caseOf({ messages, initialize: await initializeOf(timeline, texts) });
}

/** The frame, and the frame at the opposite end of its span. For a turn, also all frames in between. */
function fixtureFrames(timeline: Timeline, index: number): readonly number[] {
  const [span] = spansOf(timeline, timeline.frame(index));
  const [first, last] = [index, span?.partner ?? index].toSorted((one, other) => one - other) as [number, number];
  const isWhole = span?.kind === 'turn' && last - first < MAX_COPIED;
  return isWhole ? range(first, last) : [...new Set([first, last])];
}

/** The frames of the turn that contains the frame, without the pieces of replies. Outside of turns, the frame and its partner. */
function caseFrames(timeline: Timeline, index: number): readonly number[] {
  const turn = turnOf(timeline, index);
  if (turn === undefined) return fixtureFrames(timeline, index);
  const last = Math.min(turn.last ?? timeline.length - 1, turn.first + MAX_LOOKED_AT);
  return range(turn.first, last)
    .filter((at) => !timeline.frame(at).name.startsWith('stream_event'))
    .slice(0, MAX_COPIED);
}

function turnOf(timeline: Timeline, index: number) {
  const frame = timeline.frame(index);
  const own = spansOf(timeline, frame).find(({ kind }) => kind === 'turn');
  for (let at = own?.index ?? frame.within; at !== undefined; at = timeline.span(at).parent) {
    const span = timeline.span(at);
    if (span.kind === 'turn') return span;
  }
  return undefined;
}

async function initializeOf(timeline: Timeline, texts: FrameTexts) {
  const first = range(0, Math.min(timeline.length, MAX_BEFORE_INITIALIZE) - 1).find((at) => {
    const { dir, name } = timeline.frame(at);
    return dir === 'from-host' && name === 'control_request/initialize';
  });
  if (first === undefined) return undefined;
  const { message } = await texts.read(timeline.frame(first));
  return Object(message?.['request']) as Readonly<Record<string, unknown>>;
}

async function messagesAt(timeline: Timeline, texts: FrameTexts, indexes: readonly number[]): Promise<CopiedMessage[]> {
  const messages: CopiedMessage[] = [];
  for (const at of indexes) {
    const { entry, message } = await texts.read(timeline.frame(at));
    if ('line' in entry && message !== undefined) messages.push({ dir: entry.dir, message });
  }
  return messages;
}

function fixtureOf(messages: readonly CopiedMessage[]): string {
  return messages.map(({ message }) => `${JSON.stringify(message)}\n`).join('');
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}
