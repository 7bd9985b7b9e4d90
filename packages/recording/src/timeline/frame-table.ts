import type { Direction } from '../recording.ts';
import { getOptional, type Names, PAGE_ROWS, Pages, setOptional } from './columns.ts';

/** The kind of a frame: a message, or one of the other events of a session. */
export type FrameKind = 'message' | 'lost' | 'end' | 'link' | 'notice' | 'closed' | 'api';

/**
 * Whether the schemas know a frame. `known`: a message that matches its schema, or an event. `dropped`: a known message with invalid optional
 * members. `unknown`: a message of an unknown kind. `invalid`: a line that is not a message, a message whose required members are wrong, or a lost
 * frame.
 */
export type FrameCheck = 'known' | 'dropped' | 'unknown' | 'invalid';

/** One line of a session, without its text. */
export interface Frame {
  /** The number of the frame, counted from 0. */
  readonly index: number;
  /** Milliseconds since the beginning of the recording. Undefined if the line has no time. */
  readonly time: number | undefined;
  /** The side that sent the frame. Undefined for an event of the connection, the server or the Messages API. */
  readonly dir: Direction | undefined;
  /** The kind of the frame: a message, or another event of the session. */
  readonly kind: FrameKind;
  /** The name of the message as `type` or `type/subtype`, such as `control_request/can_use_tool`, or of the event, such as `link/down`. */
  readonly name: string;
  /** How the frame compares with the schemas. */
  readonly check: FrameCheck;
  /** Whether the frame answers, ends or cancels something that is not open, for example with a late or repeated answer. */
  readonly unmatched: boolean;
  /** The position of the frame's text, in bytes, as given to `push`. Default 0. */
  readonly offset: number;
  /** The length of the frame's text, in bytes, as given to `push`. Default 0. */
  readonly bytes: number;
  /** The number of the span that the frame belongs to, such as a turn or a subagent. Undefined if the frame belongs to no span. */
  readonly within: number | undefined;
  /**
   * The number of the first span that begins with this frame. Further spans that begin with this frame have the next numbers. Meaningful only if
   * `begun` is above 0.
   */
  readonly firstBegun: number;
  /** How many spans begin with this frame. */
  readonly begun: number;
  /** The number of one of the spans that end with this frame. Follow `Span.nextEnded` to find all other spans that end with it. */
  readonly firstEnded: number | undefined;
}

/** The facts about a frame that do not depend on other frames. */
export type FrameFacts = Pick<Frame, 'time' | 'dir' | 'kind' | 'name' | 'check'>;

/** How a frame is related to spans. */
export type FrameRelations = Pick<Frame, 'unmatched' | 'within' | 'firstBegun' | 'begun' | 'firstEnded'>;

const KINDS: readonly FrameKind[] = ['message', 'lost', 'end', 'link', 'notice', 'closed', 'api'];
const CHECKS: readonly FrameCheck[] = ['known', 'dropped', 'unknown', 'invalid'];
const DIRECTIONS: readonly (Direction | undefined)[] = [undefined, 'from-host', 'from-agent'];

/** Creates the columns of the frame table, with 41 bytes for each frame. */
const createPage = () => ({
  time: new Float64Array(PAGE_ROWS),
  offset: new Float64Array(PAGE_ROWS),
  bytes: new Uint32Array(PAGE_ROWS),
  name: new Uint16Array(PAGE_ROWS),
  begun: new Uint16Array(PAGE_ROWS),
  within: new Int32Array(PAGE_ROWS),
  firstBegun: new Int32Array(PAGE_ROWS),
  firstEnded: new Int32Array(PAGE_ROWS),
  /** Packed flags: `dir` (2 bits), `kind` (3), `check` (2) and `unmatched` (1). */
  flags: new Uint8Array(PAGE_ROWS),
});

/** Typed arrays, because a recording may have millions of frames. */
export class FrameTable {
  readonly #names: Names;
  readonly #pages = new Pages('frame', createPage);

  constructor(names: Names) {
    this.#names = names;
  }

  get length(): number {
    return this.#pages.length;
  }

  get indexBytes(): number {
    return this.#pages.bytes;
  }

  add(
    facts: FrameFacts,
    { offset, bytes }: Pick<Frame, 'offset' | 'bytes'>,
    { within, firstBegun, begun, firstEnded, unmatched }: FrameRelations,
  ): void {
    const { page, row } = this.#pages.add();
    page.time[row] = facts.time ?? Number.NaN;
    page.offset[row] = offset;
    page.bytes[row] = bytes;
    page.name[row] = this.#names.numberOf(facts.name);
    page.begun[row] = begun;
    page.firstBegun[row] = firstBegun;
    setOptional(page.within, row, within);
    setOptional(page.firstEnded, row, firstEnded);
    const dir = DIRECTIONS.indexOf(facts.dir);
    const kind = KINDS.indexOf(facts.kind) << 2;
    const check = CHECKS.indexOf(facts.check) << 5;
    page.flags[row] = dir | kind | check | (unmatched ? 0x80 : 0);
  }

  /** Returns a frame. @throws {RangeError} if the frame does not exist. */
  get(index: number): Frame {
    const { page, row } = this.#pages.get(index);
    const flags = page.flags[row] as number;
    return {
      index,
      time: this.timeOf(index),
      dir: DIRECTIONS[flags & 3],
      kind: KINDS[(flags >> 2) & 7] as FrameKind,
      name: this.#names.nameOf(page.name[row] as number),
      check: CHECKS[(flags >> 5) & 3] as FrameCheck,
      unmatched: (flags & 0x80) !== 0,
      offset: page.offset[row] as number,
      bytes: page.bytes[row] as number,
      within: getOptional(page.within, row),
      firstBegun: page.firstBegun[row] as number,
      begun: page.begun[row] as number,
      firstEnded: getOptional(page.firstEnded, row),
    };
  }

  /** Reads only the time of a frame, which is faster than reading the frame. */
  timeOf(index: number): number | undefined {
    const { page, row } = this.#pages.get(index);
    const time = page.time[row] as number;
    return Number.isNaN(time) ? undefined : time;
  }
}
