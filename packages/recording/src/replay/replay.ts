import { setTimer, type Timer } from '@proto/core/internal';
import { type Issue, ProtocolError } from '@proto/core';
import {
  type Batch,
  createMemoryPair,
  flattenIncoming,
  type Incoming,
  type Transport,
  TransportError,
} from '@proto/core/transport';
import { directionOf, type Recording, type RecordingEntry, type Side } from '../recording.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { createFrameMatch, type MatchMode } from './frame-match.ts';

/** The options of a replay. */
export interface ReplayOptions {
  /** The side that is replayed. The other side is live. */
  readonly as: Side;
  /** The speed relative to the recording: 2 is twice as fast. Default `Infinity`: no delays. */
  readonly speed?: number;
  /** Called and awaited before each line is sent, for a step-by-step replay. */
  readonly onStep?: (line: string) => void | Promise<void>;
  /** How closely live lines must match the recording. Default `ids`. */
  readonly match?: MatchMode;
}

/** A running replay of one side of a recording to a live session in this process. */
export interface Replay {
  /** The transport for the live side. */
  readonly transport: Transport;
  /** Fulfils when every line has been sent and every live line has matched. Rejects with the same errors as `replay`. */
  readonly done: Promise<void>;
}

// The error shows at most this many differences.
const MAX_DIFFERENCES = 20;

/**
 * Replays one side of a recording to a live peer. Each line is sent after the live peer has sent everything that precedes the line in the recording.
 * @throws {ProtocolError} if the peer sends a different line or too many lines, or ends too early. The error message shows the differences. In this
 * case, the transport is also aborted.
 */
export async function replay(recording: Recording, transport: Transport, options: ReplayOptions): Promise<void> {
  try {
    await play(recording, transport, options);
  } catch (error) {
    transport.abort(error);
    throw error;
  }
  await transport.close();
}

/** Creates a replay of one side of a recording, and a transport for a live peer in this process. */
export function createReplay(recording: Recording, options: ReplayOptions): Replay {
  const pair = createMemoryPair();
  const [ours, transport] = options.as === 'agent' ? [pair.agent, pair.host] : [pair.host, pair.agent];
  const done = replay(recording, ours, options);
  // The transport also reports the failure to the live side.
  done.catch(() => {});
  return { transport, done };
}

async function play({ entries }: Recording, transport: Transport, options: ReplayOptions): Promise<void> {
  const { as, match = 'ids', speed = Infinity } = options;
  const frames = createFrameMatch(match);
  await transport.opened;
  const arriving = flattenIncoming(transport.incoming);
  let before = 0;
  for (const [index, entry] of entries.entries()) {
    // The header is the first line.
    const at = `line ${index + 2} of the recording`;
    if (!('dir' in entry)) continue;
    if (entry.dir !== directionOf(as)) {
      const next = await lineOf(arriving);
      const differences = differencesOf(entry, next, frames.differences);
      if (differences.length > 0) throw divergence(at, entry, differences);
    } else if ('line' in entry) {
      await pause((entry.t - before) / speed, transport);
      const text = frames.translated(entry.line);
      await options.onStep?.(text);
      await transport.send(batchOfLine(text));
    } else if ('end' in entry) await transport.end();
    before = entry.t;
  }
}

/** The line may have been rejected during framing. Returns `undefined` after the last line. */
async function lineOf(arriving: AsyncIterator<Incoming, undefined>): Promise<Incoming | undefined> {
  for (;;) {
    const { value, done } = await arriving.next().catch((error: unknown) => {
      // The live side failed. As after a normal end, no more lines follow.
      if (TransportError.is(error)) return { done: true, value: undefined } as const;
      throw error;
    });
    if (done === true) return undefined;
    if (value.kind !== 'link' && value.kind !== 'notice') return value;
  }
}

function differencesOf(
  entry: Extract<RecordingEntry, { dir: unknown }>,
  next: Incoming | undefined,
  compare: (recorded: string, live: string) => readonly Issue[],
): readonly Issue[] {
  const said =
    next === undefined
      ? 'nothing more arrived'
      : next.kind === 'message'
        ? `the peer sent ${next.text}`
        : 'a line of the peer was lost';
  if ('end' in entry) return next === undefined ? [] : [{ path: [], message: `the recording ends here, but ${said}` }];
  if ('lost' in entry)
    return next?.kind === 'malformed'
      ? []
      : [{ path: [], message: `a line is missing from the recording here, but ${said}` }];
  return next?.kind === 'message'
    ? compare(entry.line, next.text)
    : [{ path: [], message: `the recording has ${entry.line}, but ${said}` }];
}

function divergence(at: string, entry: RecordingEntry & { dir: string }, issues: readonly Issue[]): ProtocolError {
  const redactor = createRedactor();
  const shown = issues
    .slice(0, MAX_DIFFERENCES)
    // Live lines may contain secrets that are not in the recording.
    .map(({ path, message }) => redactor.text(`  ${path.length === 0 ? '' : `${path.join('.')}: `}${message}`));
  if (issues.length > shown.length) shown.push(`  and ${issues.length - shown.length} more`);
  return new ProtocolError('invalid-message', [`the replay diverges at ${at}, ${entry.dir}:`, ...shown].join('\n'), {
    issues,
  });
}

async function pause(ms: number, transport: Transport): Promise<void> {
  if (!(ms > 0)) return;
  let timer: Timer | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimer(resolve, ms);
  });
  await Promise.race([passed, transport.closed]);
  timer?.clear();
}

function batchOfLine(text: string): Batch {
  return {
    count: 1,
    text: `${text}\n`,
    *messages() {
      yield { text, id: undefined, ephemeral: false };
    },
  };
}
