import { JsonDepthError, parseJson } from '@proto/core/framing';
import { parseMessage } from '@proto/core/messages';
import type { Direction, RecordingEntry } from '../recording.ts';
import type { FrameCheck, FrameFacts } from './frame-table.ts';
import { isText, type Members, membersOf } from './members.ts';

/** `message` is the parsed JSON of the line, if it is an object. */
export interface ReadEntry extends FrameFacts {
  readonly message: Members | undefined;
}

/** Never throws. */
export function readEntry(entry: RecordingEntry): ReadEntry {
  const time = Number.isFinite(entry.t) ? entry.t : undefined;
  const event = { time, dir: undefined, check: 'known', message: undefined } as const;
  if ('line' in entry) return { time, dir: entry.dir, kind: 'message', ...readLine(entry.line, entry.dir) };
  if ('lost' in entry) return { ...event, dir: entry.dir, kind: 'lost', name: `lost/${entry.lost}`, check: 'invalid' };
  if ('end' in entry) return { ...event, dir: entry.dir, kind: 'end', name: 'end' };
  if ('link' in entry) return { ...event, kind: 'link', name: `link/${entry.link}` };
  if ('notice' in entry) return { ...event, kind: 'notice', name: `notice/${entry.notice}` };
  if ('api' in entry) return { ...event, kind: 'api', name: `api/${entry.part}` };
  return { ...event, kind: 'closed', name: `closed/${entry.closed}` };
}

function readLine(line: string, direction: Direction): Pick<ReadEntry, 'name' | 'check' | 'message'> {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    const name = error instanceof JsonDepthError ? 'nested too deeply' : 'not JSON';
    return { name, check: 'invalid', message: undefined };
  }
  const message = membersOf(value);
  const parsed = parseMessage(value, { direction });
  const name = nameOf(message);
  if (parsed.kind !== 'known') return { name, check: parsed.kind, message };
  const check: FrameCheck = parsed.dropped.length > 0 ? 'dropped' : 'known';
  return { name, check, message };
}

function nameOf(message: Members | undefined): string {
  if (message === undefined || typeof message['type'] !== 'string') return 'no message';
  const { type, subtype, request, response, isReplay } = message;
  const detail = [subtype, membersOf(request)?.['subtype'], membersOf(response)?.['subtype']].find(isText);
  const second = detail ?? (isReplay === true ? 'replay' : undefined);
  return second === undefined ? type : `${type}/${second}`;
}
