import { parsePath } from '../path-pattern.ts';
import type { Direction, RecordingEntry } from '../recording.ts';
import { describeFrame } from '../timeline/describe-frame.ts';
import { membersOf } from '../timeline/members.ts';
import { align } from './align.ts';
import { compareValues, type MemberDifference } from './compare-values.ts';
import { comparedPart, FrameIndex, type Lane } from './frame-index.ts';
import type { RecordingText } from './recording-text.ts';

/** The options for comparing recordings. */
export interface DiffOptions {
  /**
   * The paths of members that may differ, as names separated by dots, such as `message.usage.**`. `*` matches one name, and `**` matches any number
   * of names. Default: none.
   */
  readonly ignore?: readonly string[];
  /** The side that sent the lines of a file without a recording header. Default `auto`: the side is determined from the members of each line. */
  readonly direction?: Direction | 'auto';
  /** The maximum length of a line in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number;
}

/** A frame of one recording that differs from the other recording. */
export interface DifferingFrame {
  /** The number of the frame in its recording, counted from 1 as in `sjp explain`. */
  readonly frame: number;
  /** A description of the frame, in one line of at most 400 characters. */
  readonly text: string;
}

/** One difference between two recordings. */
export interface RecordingDifference {
  /**
   * The kind of the difference: `missing` if only the first recording contains the message, `added` if only the second recording contains it,
   * `changed` if both recordings contain a message of this kind, but with different members.
   */
  readonly kind: 'changed' | 'missing' | 'added';
  /** The number of the turn, counted from 1. 0 before the first turn. */
  readonly turn: number;
  /** The side that sent the message. Undefined for an event of the connection or the server. */
  readonly dir: Direction | undefined;
  /** The name of the message as `type` or `type/subtype`, such as `control_request/can_use_tool`. */
  readonly name: string;
  /** The frame in the first recording. Absent if `kind` is `added`. */
  readonly expected?: DifferingFrame;
  /** The frame in the second recording. Absent if `kind` is `missing`. */
  readonly found?: DifferingFrame;
  /** The members that differ. Empty unless `kind` is `changed`. */
  readonly members: readonly MemberDifference[];
}

/** The counts in a comparison. */
export interface DiffCounts {
  /** The number of compared frames in the first recording. */
  readonly expectedFrames: number;
  /** The number of compared frames in the second recording. */
  readonly foundFrames: number;
  /** The number of differences of the kind `changed`. */
  readonly changed: number;
  /** The number of differences of the kind `missing`. */
  readonly missing: number;
  /** The number of differences of the kind `added`. */
  readonly added: number;
}

/** A comparison of two recordings. */
export interface RecordingDiff {
  /** Yields the differences, in the order of the recordings. Can be iterated only once. */
  readonly differences: AsyncIterable<RecordingDifference>;
  /** The counts, which are final when `differences` has ended. */
  readonly counts: DiffCounts;
}

/** One frame, or one frame from each recording. */
interface Change {
  readonly a: number | undefined;
  readonly b: number | undefined;
}

// Exchanges with the Messages API are left out, because they follow from the messages of the two sides, and because some run in parallel with the
// turns, in any order.
const COMPARED: readonly Lane[] = ['from-host', 'from-agent', 'events'];

/**
 * Compares two recordings: the messages of each side, in order, without ids and times. How the messages of the two sides interleave is ignored,
 * because it differs from run to run. Needs about 90 bytes of memory for each frame. Texts are read only when they are shown.
 */
export async function diffRecordings(
  expected: RecordingText,
  found: RecordingText,
  { ignore = [], direction = 'auto', maxLineBytes }: DiffOptions = {},
): Promise<RecordingDiff> {
  const ignored = ignore.map(parsePath);
  const reading = { direction, ...(maxLineBytes !== undefined && { maxLineBytes }) };
  const a = await FrameIndex.of(expected, ignored, reading);
  const b = await FrameIndex.of(found, ignored, reading);
  const changes = inOrder(a, b);
  const counts = {
    expectedFrames: comparedFrames(a),
    foundFrames: comparedFrames(b),
    changed: changes.filter((change) => change.a !== undefined && change.b !== undefined).length,
    missing: changes.filter((change) => change.b === undefined).length,
    added: changes.filter((change) => change.a === undefined).length,
  };
  async function* differences(): AsyncGenerator<RecordingDifference, void, undefined> {
    for (const change of changes) yield await differenceOf(change, a, b, ignored);
  }
  return { differences: differences(), counts };
}

function comparedFrames(index: FrameIndex): number {
  return COMPARED.reduce((sum, lane) => sum + index.framesOf(lane).length, 0);
}

/** Each added message follows the message that precedes it in the second recording. */
function inOrder(a: FrameIndex, b: FrameIndex): readonly Change[] {
  // For each frame of the second recording: the matching frame of the first; -1 for an added frame.
  const partners = new Int32Array(b.length).fill(-1);
  const changes = COMPARED.flatMap((lane) => changesIn(lane, a, b, partners));
  for (let index = 0, last = -1; index < partners.length; index++) {
    const partner = partners[index] as number;
    if (partner === -1) partners[index] = last;
    else last = partner;
  }
  const orderOf = (change: Change) => change.a ?? (partners[change.b ?? 0] as number) + 0.5;
  return changes.toSorted((one, other) => orderOf(one) - orderOf(other) || (one.b ?? 0) - (other.b ?? 0));
}

function changesIn(lane: Lane, a: FrameIndex, b: FrameIndex, partners: Int32Array): Change[] {
  const [framesA, framesB] = [a.framesOf(lane), b.framesOf(lane)];
  const equal = align(
    Float64Array.from(framesA, (at) => a.keyOf(at)),
    Float64Array.from(framesB, (at) => b.keyOf(at)),
  );
  const changes: Change[] = [];
  let [fromA, fromB] = [0, 0];
  for (const run of [...equal, { a: framesA.length, b: framesB.length, length: 0 }]) {
    changes.push(...changesBetween(a, framesA.subarray(fromA, run.a), b, framesB.subarray(fromB, run.b)));
    for (let step = 0; step < run.length; step++) {
      partners[framesB[run.b + step] as number] = framesA[run.a + step] as number;
    }
    [fromA, fromB] = [run.a + run.length, run.b + run.length];
  }
  for (const change of changes) if (change.a !== undefined && change.b !== undefined) partners[change.b] = change.a;
  return changes;
}

/** A missing and an added message of the same kind become one changed message. */
function changesBetween(a: FrameIndex, framesA: Uint32Array, b: FrameIndex, framesB: Uint32Array): Change[] {
  if (framesA.length === 0 && framesB.length === 0) return [];
  const alike = align(
    Float64Array.from(framesA, (at) => a.kindOf(at)),
    Float64Array.from(framesB, (at) => b.kindOf(at)),
  );
  const changes: Change[] = [];
  let [fromA, fromB] = [0, 0];
  for (const run of [...alike, { a: framesA.length, b: framesB.length, length: 0 }]) {
    for (const at of framesA.subarray(fromA, run.a)) changes.push({ a: at, b: undefined });
    for (const at of framesB.subarray(fromB, run.b)) changes.push({ a: undefined, b: at });
    for (let step = 0; step < run.length; step++) {
      changes.push({ a: framesA[run.a + step], b: framesB[run.b + step] });
    }
    [fromA, fromB] = [run.a + run.length, run.b + run.length];
  }
  return changes;
}

async function differenceOf(
  change: Change,
  a: FrameIndex,
  b: FrameIndex,
  ignored: Parameters<typeof compareValues>[2],
): Promise<RecordingDifference> {
  const expected = change.a === undefined ? undefined : { index: change.a, entry: await a.entry(change.a) };
  const found = change.b === undefined ? undefined : { index: change.b, entry: await b.entry(change.b) };
  const { lane, name, turn } = change.a === undefined ? b.frame(change.b ?? 0) : a.frame(change.a);
  return {
    kind: found === undefined ? 'missing' : expected === undefined ? 'added' : 'changed',
    turn,
    dir: lane === 'from-host' || lane === 'from-agent' ? lane : undefined,
    name,
    ...(expected && { expected: shown(expected) }),
    ...(found && { found: shown(found) }),
    members: expected && found ? compareValues(comparedPart(expected.entry), comparedPart(found.entry), ignored) : [],
  };
}

function shown({ index, entry }: { readonly index: number; readonly entry: RecordingEntry }): DifferingFrame {
  const message = 'line' in entry ? membersOf(comparedPart(entry)) : undefined;
  return { frame: index + 1, text: describeFrame({ entry, message }) };
}
