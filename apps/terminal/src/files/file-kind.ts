import { parseJson } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { encodingOf, type FileEncoding } from './file-encoding.ts';

/** What a file is, according to its beginning. Commands can read the first two kinds. */
export type FileKind =
  | 'messages'
  | 'recording'
  | 'empty'
  | 'only-nuls'
  | FileEncoding
  | 'binary'
  | 'transcript'
  | 'result'
  | 'array-of-messages'
  | 'pretty-printed'
  | 'other-json-lines'
  | 'har'
  | 'json'
  | 'csv'
  | 'text';

/** How many bytes of a file are read to find its kind. */
export const LOOKED_AT_BYTES = 64 * 1024;

/**
 * Returns the kind of a file from its beginning. `isWhole` means that the file has no further bytes. The result is undefined if more bytes are
 * needed, but never for a beginning of `LOOKED_AT_BYTES`. Damaged lines, and a few other lines before the first message, do not change the kind.
 */
export function fileKindOf(head: Uint8Array, isWhole: boolean): FileKind | undefined {
  const isLast = isWhole || head.length >= LOOKED_AT_BYTES;
  if (head.length === 0 && isWhole) return 'empty';
  // The marks of UTF-32 and UTF-16 have the same beginning.
  if (head.length < 4 && !isWhole) return undefined;
  const encoding = encodingOf(head);
  if (encoding !== undefined) return encoding;
  const text = new TextDecoder().decode(head);
  if (/^[\0\s]*$/.test(text)) return isLast ? (text.includes('\0') ? 'only-nuls' : 'empty') : undefined;
  const lines = text
    .split('\n')
    // The last line may be incomplete.
    .slice(0, isWhole ? undefined : -1)
    .flatMap(splitAtNul)
    .filter((line) => line.trim() !== '');
  return (
    kindOfLines(lines, text, isWhole) ?? (isLast ? kindOfText(text.replaceAll('\0', ''), lines, isWhole) : undefined)
  );
}

/** Returns the kind of a text by its lines; undefined if no line is a message or an entry. */
function kindOfLines(lines: readonly string[], text: string, isWhole: boolean): FileKind | undefined {
  for (const [index, line] of lines.entries()) {
    const value = jsonOf(line);
    if (isRecord(value) && typeof value['recording'] === 'number') return 'recording';
    if (isTranscriptEntry(value)) return 'transcript';
    if (isMessage(value)) {
      if (value['type'] !== 'result' || index > 0 || lines.length > 1) return 'messages';
      // If a file contains only one result, an agent wrote it without streaming. More may follow.
      const isAlone = text.trim() === line.trim();
      return isWhole ? 'result' : isAlone ? undefined : 'messages';
    }
    if (Array.isArray(value) && value.some(isMessage)) return 'array-of-messages';
  }
  return undefined;
}

/** Returns the kind of a text in which no line is a message. */
function kindOfText(text: string, lines: readonly string[], isWhole: boolean): FileKind {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  const first = lines[0] ?? start;
  const isCutJson = jsonOf(first) === undefined && /^[[{]\s*$|^[[{]\s*["{[]/.test(first.trim());
  const value = isWhole ? jsonOf(start) : undefined;
  if (value !== undefined) return kindOfValue(value);
  if (/^\{\s*"log"\s*:\s*\{/.test(start)) return 'har';
  // Lines of a pretty-printed value are indented or consist only of a bracket.
  if (isCutJson && /^(?:[[{]\s*$|\s)/m.test(lines.slice(0, 2).join('\n'))) {
    if (!/"type"\s*:/.test(start)) return 'json';
    return start.startsWith('[') ? 'array-of-messages' : 'pretty-printed';
  }
  if (!isWhole && lines.length === 0 && /^\[\s*\{/.test(start)) return 'array-of-messages';
  const others = lines.filter((line) => isRecord(jsonOf(line))).length;
  if (others > 1 && others * 2 >= lines.length) return 'other-json-lines';
  // Damaged lines are reported one by one.
  const objects = lines.filter((line) => line.trimStart().startsWith('{')).length;
  if (objects * 2 >= Math.max(lines.length, 1) || (lines.length === 0 && start.startsWith('{'))) return 'messages';
  if (hasControls(text)) return 'binary';
  return isTable(lines) ? 'csv' : 'text';
}

function kindOfValue(value: unknown): FileKind {
  if (Array.isArray(value)) return value.some(isMessage) ? 'array-of-messages' : 'json';
  if (!isRecord(value)) return 'json';
  if (isRecord(value['log']) && Array.isArray(value['log']['entries'])) return 'har';
  if (isTranscriptEntry(value)) return 'transcript';
  if (!isMessage(value)) return 'json';
  return 'pretty-printed';
}

type Members = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMessage(value: unknown): value is Members {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** Whether a value is an entry of a transcript. An entry names its session and its previous entry in a way that messages never do. */
function isTranscriptEntry(value: unknown): boolean {
  if (!isMessage(value)) return false;
  const isOfSession = typeof value['sessionId'] === 'string' && value['session_id'] === undefined;
  return isOfSession || 'parentUuid' in value || 'leafUuid' in value || value['type'] === 'file-history-snapshot';
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Whether a text contains what programs never write into text: many control characters, or bytes that are not UTF-8. */
function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = text.match(/[\u0001-\u0008\u000e-\u001a\uFFFD]/g) ?? [];
  return controls.length * 20 > text.length;
}

function isTable(lines: readonly string[]): boolean {
  return [',', ';', '\t'].some((separator) => {
    const [first = 0, ...others] = [...lines].slice(0, 20).map((line) => line.split(separator).length - 1);
    return first > 0 && others.length > 0 && others.every((count) => count === first);
  });
}
