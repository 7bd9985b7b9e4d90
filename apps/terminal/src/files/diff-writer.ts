import { cutText, encodeLine } from '@proto/core/framing';
import type { DiffCounts, MemberDifference, RecordingDifference } from '@proto/recording/diff';
import { type Color, displayWidth, type Paint, plain, truncate } from '../view/terminal-text.ts';

/** Writes the differences between two recordings. */
export interface DiffWriter {
  difference(difference: RecordingDifference): string;
  /** Returns the last lines, with the counts. */
  end(counts: DiffCounts): string;
}

// A message may have any number of members, and a text any length.
const MAX_MEMBERS = 20;
const MAX_VALUE_LENGTH = 2000;

/** Creates a writer of one JSON object for each difference. The last line is the result. */
export function differencesAsJson(): DiffWriter {
  return {
    difference({ members, kind, ...about }) {
      const shown = members.slice(0, MAX_MEMBERS).map((member) => shortened(member));
      const more = members.length - shown.length;
      return encodeLine({
        type: 'difference',
        kind,
        ...about,
        ...(kind === 'changed' && { members: shown }),
        ...(more > 0 && { moreMembers: more }),
      });
    },
    end(counts) {
      return encodeLine({ type: 'result', ...counts, equal: isEqual(counts) });
    },
  };
}

function shortened(member: MemberDifference): MemberDifference {
  const short = (value: unknown) => {
    const json = JSON.stringify(value);
    return json.length > MAX_VALUE_LENGTH ? `${cutText(json, MAX_VALUE_LENGTH)}…` : value;
  };
  return {
    path: member.path,
    ...('expected' in member && { expected: short(member.expected) }),
    ...('found' in member && { found: short(member.found) }),
  };
}

const MARKS: Readonly<Record<RecordingDifference['kind'], { readonly mark: string; readonly color: Color }>> = {
  changed: { mark: '~', color: 'yellow' },
  missing: { mark: '-', color: 'red' },
  added: { mark: '+', color: 'green' },
};
const INDENT = '    ';
const MIN_VALUE_COLUMNS = 20;

/** Creates a writer of human-readable lines of at most `columns` columns. */
export function differencesAsText({ columns, paint }: { readonly columns: number; readonly paint: Paint }): DiffWriter {
  let turn: number | undefined;
  const turns = new Set<number>();
  return {
    difference(difference) {
      const isNext = difference.turn !== turn;
      turn = difference.turn;
      turns.add(turn);
      const title = isNext ? `${paint('cyan', turn === 0 ? 'before the first turn' : `turn ${turn}`)}\n` : '';
      const lines = [headline(difference, columns, paint), ...memberLines(difference.members, columns, paint)];
      return title + lines.map((line) => `${line}\n`).join('');
    },
    end(counts) {
      const { expectedFrames, foundFrames } = counts;
      const frames =
        expectedFrames === foundFrames
          ? `${foundFrames} ${foundFrames === 1 ? 'frame' : 'frames'}`
          : `${expectedFrames} and ${foundFrames} frames`;
      if (isEqual(counts)) return `no differences, ${frames}\n`;
      const { changed, missing, added } = counts;
      const where = [...turns].filter((one) => one > 0);
      const inTurns = where.length === 0 ? '' : ` in ${turnsText(where)}`;
      return `${changed} changed, ${missing} missing, ${added} added${inTurns}, ${frames}\n`;
    },
  };
}

function isEqual({ changed, missing, added }: DiffCounts): boolean {
  return changed + missing + added === 0;
}

function turnsText(turns: readonly number[]): string {
  if (turns.length === 1) return `turn ${turns[0]}`;
  const shown = turns.length > 5 ? [...turns.slice(0, 4), `${turns.length - 4} more`] : turns;
  return `turns ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function headline({ kind, dir, name, expected, found }: RecordingDifference, columns: number, paint: Paint): string {
  const { mark, color } = MARKS[kind];
  const side = { 'from-host': 'host', 'from-agent': 'agent', none: '' }[dir ?? 'none'];
  const short = name.replace(/^control_request\//, 'asks ').replace(/^control_response\//, 'answers ');
  const start = `${mark} ${side.padEnd(5)} ${plain(short)}`;
  const frames = [expected, found].flatMap((one) => (one === undefined ? [] : [one.frame]));
  const [first, second] = frames;
  const place = second === undefined || first === second ? `frame ${first}` : `frames ${first} and ${second}`;
  const line = `${paint(color, start)}  ${paint('dim', `${kind}, ${place}`)}`;
  if (kind === 'changed') return line;
  const free = columns - displayWidth(`${start}  ${kind}, ${place}  `);
  const text = plain((expected ?? found)?.text ?? '');
  if (text === '') return line;
  // A text that does not fit after the name is written to the next line.
  return free >= MIN_VALUE_COLUMNS
    ? `${line}  ${truncate(text, free)}`
    : `${line}\n${INDENT}${truncate(text, columns - INDENT.length)}`;
}

function memberLines(members: readonly MemberDifference[], columns: number, paint: Paint): string[] {
  const shown = members.slice(0, MAX_MEMBERS).flatMap((member) => {
    const { path } = member;
    const [expected, found] = aroundDifference(valueText(member, 'expected'), valueText(member, 'found'), columns);
    return [
      `${INDENT}${plain(path === '' ? 'the whole message' : path)}`,
      `${INDENT}  ${paint('red', 'expected')}  ${expected}`,
      `${INDENT}  ${paint('green', 'found')}     ${found}`,
    ];
  });
  const more = members.length - MAX_MEMBERS;
  return more > 0 ? [...shown, `${INDENT}and ${more} more members`] : shown;
}

function valueText(member: MemberDifference, side: 'expected' | 'found'): string {
  return side in member ? plain(JSON.stringify(member[side])) : 'nothing';
}

/** Cuts two texts so that the place where they begin to differ is shown. */
function aroundDifference(expected: string, found: string, columns: number): readonly [string, string] {
  const room = Math.max(columns - INDENT.length - '  expected  '.length, MIN_VALUE_COLUMNS);
  let same = 0;
  while (same < expected.length && expected[same] === found[same]) same++;
  const before = Math.floor(room / 3);
  const fits = displayWidth(expected) <= room && displayWidth(found) <= room;
  const from = fits || same <= before ? 0 : same - before;
  const cut = (text: string) => truncate(from === 0 ? text : `…${cutText(text, from - text.length)}`, room);
  return [cut(expected), cut(found)];
}
