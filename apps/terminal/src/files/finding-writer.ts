import type { DriftReport, Finding } from '@proto/core/drift';
import { encodeLine } from '@proto/core/framing';
import { type FileNote, noteText } from './file-note.ts';
import { plain } from '../view/terminal-text.ts';

/** Writes the findings of a check. */
export interface FindingWriter {
  /** Returns the first line, which describes the kind of file if it is not the expected kind. */
  note(note: FileNote): string;
  /** Returns the line of one finding. */
  finding(finding: Finding): string;
  /**
   * Returns the last lines: the parts that no schema defines, the counts of `stats`, and the outcome. `isRead` is false for a file without messages.
   */
  end(report: DriftReport, isRead: boolean): string;
}

/** What is written in addition to the findings: `stats` adds how often each message was seen. */
export interface FindingWriterOptions {
  readonly stats: boolean;
}

const THINGS = {
  unknown_type: 'type',
  unknown_member: 'member',
  unknown_value: 'value',
  unknown_kind: 'kind',
} as const;

type Thing = keyof typeof THINGS;

/** Creates a writer of one JSON object for each finding. The last line is the result. */
export function findingsAsJson({ stats }: FindingWriterOptions): FindingWriter {
  const finding = ({ code, line: at, ...about }: Finding) => encodeLine({ type: 'finding', line: at, code, ...about });
  return {
    finding,
    note: (note) => encodeLine({ type: 'file', ...note }),
    end(report, isRead) {
      const { lines, valid, drift, names } = report;
      const result = {
        type: 'result',
        lines,
        valid,
        invalid: lines - valid,
        unknownTypes: count(drift, 'unknown_type'),
        unknownMembers: count(drift, 'unknown_member'),
        unknownValues: count(drift, 'unknown_value') + count(drift, 'unknown_kind'),
        ...(stats && { messages: Object.fromEntries(mostFrequentFirst(names)) }),
        ok: isRead && lines === valid,
      };
      return drift.map(finding).join('') + encodeLine(result);
    },
  };
}

/** Creates a writer of human-readable lines. */
export function findingsAsText({ stats }: FindingWriterOptions): FindingWriter {
  return {
    note: (note) => `${plain(noteText(note))}\n`,
    finding({ line, count: found, name, path, message }) {
      const where = [name, path].filter((part) => part !== undefined && part !== '').join(' ');
      const more = found === 1 ? '' : ` (${found} times)`;
      return `${plain(`line ${line}: ${where === '' ? '' : `${where}: `}${message}${more}`)}\n`;
    },
    end(report, isRead) {
      if (!isRead) return '';
      const { lines, valid, drift, names } = report;
      const unknown = drift.map(
        ({ code, count: times, line, ...about }) =>
          plain(
            `unknown ${isThing(code) ? THINGS[code] : code}: ${about.name} ${[about.path, about.value].filter(Boolean).join(' = ')}`.trimEnd(),
          ) + ` (${times} times, first in line ${line})\n`,
      );
      const seen = stats
        ? mostFrequentFirst(names).map(([name, times]) => `${String(times).padStart(8)}  ${plain(name)}\n`)
        : [];
      const summary = `${lines} lines, ${valid} valid, ${lines - valid} invalid, ${drift.length} unknown parts\n`;
      return [...unknown, ...seen, summary].join('');
    },
  };
}

function isThing(code: string): code is Thing {
  return code in THINGS;
}

function count(drift: readonly Finding[], code: Thing): number {
  return drift.filter((finding) => finding.code === code).length;
}

function mostFrequentFirst(names: ReadonlyMap<string, number>): [string, number][] {
  return [...names].toSorted(([, a], [, b]) => b - a);
}
