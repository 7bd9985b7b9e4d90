import type { Issue } from '@proto/core';
import { cutText, parseJson } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import { ID_NAME } from '../diff/steady-values.ts';
import { REDACTED } from '../redaction/redactor.ts';

/**
 * How closely a live line must match the recorded line. `strict`: the text must be the same. `ids`: the JSON must be the same, except that the live
 * side may consistently use other ids. `shape`: all recorded members must exist with values of the same kind, and types and subtypes must be the
 * same.
 */
export type MatchMode = 'strict' | 'ids' | 'shape';

/** Remembers which live id stands for which recorded id. */
export interface FrameMatch {
  /** The list is empty for a matching line. */
  differences(recorded: string, live: string): readonly Issue[];
  /** Uses the ids of the live side in place of the recorded ids. */
  translated(recorded: string): string;
}

const KIND_NAMES = ['type', 'subtype', 'role', 'behavior'];

/** A side in a replay: the live side or the replayed side. Each side chooses the ids of its requests. */
type Side = 'live' | 'replayed';
const keyOf = (name: string, id: string, asker: Side) => (name === 'request_id' ? `${asker} ${id}` : id);

/** An answer contains the other side's request ids. */
function askerIn(value: Readonly<Record<string, unknown>>, writer: Side, asker: Side): Side {
  if (value['type'] === 'control_response') return writer === 'live' ? 'replayed' : 'live';
  return value['type'] === 'control_request' || value['type'] === 'control_cancel_request' ? writer : asker;
}

/** Creates the comparison for one replay. */
export function createFrameMatch(mode: MatchMode): FrameMatch {
  const ids = new Map<string, string>();

  /** After the first match, a recorded id matches no other live id. */
  function isSameId(key: string, recorded: string, live: string): boolean {
    // A request that the replay sent keeps its recorded id.
    const known = ids.get(key) ?? (key.startsWith('replayed ') ? recorded : live);
    ids.set(key, known);
    return known === live;
  }

  function compare(recorded: unknown, live: unknown, path: readonly string[], asker: Side = 'live'): Issue[] {
    const name = path.findLast((segment) => !/^\d+$/.test(segment)) ?? '';
    const differs = () => [{ path, message: `recorded ${shown(recorded)}, now ${shown(live)}` }];
    if (typeof recorded === 'string' && typeof live === 'string') {
      if (ID_NAME.test(name) ? isSameId(keyOf(name, recorded, asker), recorded, live) : isSameText(recorded, live))
        return [];
      return mode === 'shape' && !KIND_NAMES.includes(name) ? [] : differs();
    }
    if (Array.isArray(recorded) && Array.isArray(live)) {
      const length = mode === 'shape' ? Math.min(recorded.length, live.length) : Math.max(recorded.length, live.length);
      return Array.from({ length }).flatMap((_, at) => compare(recorded[at], live[at], [...path, String(at)], asker));
    }
    if (isRecord(recorded) && isRecord(live)) {
      const names = new Set([...Object.keys(recorded), ...(mode === 'shape' ? [] : Object.keys(live))]);
      const side = askerIn(recorded, 'live', asker);
      return [...names].flatMap((member) => compare(recorded[member], live[member], [...path, member], side));
    }
    if (recorded === live || (mode === 'shape' && typeof recorded === typeof live && live !== undefined)) return [];
    return differs();
  }

  function translate(value: unknown, name: string, asker: Side): unknown {
    if (typeof value === 'string') return ids.get(keyOf(name, value, asker)) ?? value;
    if (Array.isArray(value)) return value.map((item) => translate(item, name, asker));
    if (!isRecord(value)) return value;
    const side = askerIn(value, 'replayed', asker);
    return Object.fromEntries(Object.entries(value).map(([member, of]) => [member, translate(of, member, side)]));
  }

  return {
    differences(recorded, live) {
      if (recorded === live) return mode === 'strict' ? [] : compare(parsedOrText(recorded), parsedOrText(live), []);
      if (mode === 'strict') return [{ path: [], message: `recorded ${shown(recorded)}, now ${shown(live)}` }];
      return compare(parsedOrText(recorded), parsedOrText(live), []);
    },
    translated(recorded) {
      const changed = [...ids].some(([key, live]) => {
        const id = key.replace(/^(?:live|replayed) /, '');
        return id !== live && recorded.includes(id);
      });
      return changed ? JSON.stringify(translate(parsedOrText(recorded), '', 'live')) : recorded;
    },
  };
}

/** `REDACTED` in the recorded text matches any text. */
function isSameText(recorded: string, live: string): boolean {
  if (recorded === live) return true;
  const [beginning = '', ...pieces] = recorded.split(REDACTED);
  const end = pieces.pop();
  if (end === undefined || live.length < beginning.length + end.length) return false;
  if (!live.startsWith(beginning) || !live.endsWith(end)) return false;
  // Each piece is matched at its first occurrence. A regular expression would try all combinations of positions.
  let at = beginning.length;
  for (const piece of pieces) {
    const found = live.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= live.length - end.length;
}

function parsedOrText(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return line;
  }
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${cutText(text, 120)}…` : text;
}
