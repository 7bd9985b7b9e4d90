import { open } from 'node:fs/promises';
import { type FileKind, fileKindOf, LOOKED_AT_BYTES } from './file-kind.ts';
import { type FileNote, fileNoteOf, noteText } from './file-note.ts';

/** A source of bytes, and the kind of file according to its beginning. */
export interface PeekedFile {
  readonly kind: FileKind;
  /** The bytes that were read to find the kind. */
  readonly head: Uint8Array;
  /** All bytes, from the first byte. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Closes the source of a file that is not read to its end. */
  close(): Promise<void>;
}

const LF = 10;

// The bytes that are needed to recognize a compressed file or another encoding.
const OUTPUT_BYTES = 64;

/**
 * Reads the beginning of a source to find its kind. Reads up to the first message, and at most `LOOKED_AT_BYTES`, so that a running session is shown
 * while it runs. For `output` only the encoding is checked. Rejects if the source cannot be read.
 */
export async function peekFile(
  source: AsyncIterable<Uint8Array>,
  wanted: 'messages' | 'output' = 'messages',
): Promise<PeekedFile> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let head: Uint8Array = new Uint8Array(0);
  let kind: FileKind | undefined;
  while (kind === undefined) {
    const { done, value } = await iterator.next();
    const isWhole = done === true;
    if (!isWhole) {
      chunks.push(value);
      head = Buffer.concat([head, value.subarray(0, LOOKED_AT_BYTES - head.length)]);
    }
    // The kind can change only with another complete line.
    if (isWhole || head.length >= LOOKED_AT_BYTES || value.includes(LF)) kind = fileKindOf(head, isWhole);
    if (wanted === 'output' && (head.length >= OUTPUT_BYTES || head.includes(LF))) kind ??= 'text';
  }
  const close = async () => void (await iterator.return?.());
  return { kind, head, bytes: joined(chunks, iterator), close };
}

async function* joined(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** What a command reads: `messages` (also in a recording), only a `recording`, `output` in any form, or any `text`, even an empty text. */
export type WantedFile = 'messages' | 'recording' | 'output' | 'text';

/** Returns the note about a kind of file that a command cannot read; undefined for a kind that the command can read. */
export function refusalOf(kind: FileKind, file: string, command: string, wanted: WantedFile): FileNote | undefined {
  if (kind === 'recording') return undefined;
  if ((wanted === 'text' && kind === 'empty') || (!isOfSession(wanted) && TEXT_KINDS.has(kind))) return undefined;
  if (kind === 'messages' || kind === 'result') {
    return wanted === 'recording' ? fileNoteOf('not-a-recording', file, command) : undefined;
  }
  const isHeaderless = wanted === 'recording' && kind === 'empty';
  return fileNoteOf(kind, file, command, isHeaderless ? 'is empty, so it has no recording header' : undefined);
}

/** Thrown for a file that the command cannot read. The message describes the file and what to do. */
export class WrongFileError extends Error {
  /** The name of this class, for logs. */
  override readonly name = 'WrongFileError';
  /** The code of the error, for programs. */
  readonly code = 'wrong-file';
  /** The kind of the file, what it is, and what to do. */
  readonly note: FileNote;

  constructor(note: FileNote) {
    super(noteText(note));
    this.note = note;
  }
}

/** Checks the bytes of a file. @throws {WrongFileError} if the command cannot read such a file. */
export function refuseBytes(bytes: Uint8Array, file: string, command: string, wanted: WantedFile): void {
  const kind = fileKindOf(bytes.subarray(0, LOOKED_AT_BYTES), bytes.length < LOOKED_AT_BYTES) ?? 'messages';
  const refusal = refusalOf(kind, file, command, wanted);
  if (refusal !== undefined) throw new WrongFileError(refusal);
}

/**
 * Checks the beginning of a file. Does nothing for a pipe or a device, because a pipe can be read only once.
 * @throws {WrongFileError} if the command cannot read the file.
 */
export async function refuseFile(path: string, command: string, wanted: WantedFile): Promise<void> {
  const handle = await open(path);
  try {
    if (!(await handle.stat()).isFile()) return;
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(LOOKED_AT_BYTES), position: 0 });
    refuseBytes(buffer.subarray(0, bytesRead), path, command, wanted);
  } finally {
    await handle.close();
  }
}

/** Whether a command reads a file although there is a note about the file. */
export function isReadable({ kind }: FileNote): boolean {
  return kind === 'result' || kind === 'older-agent';
}

function isOfSession(wanted: WantedFile): boolean {
  return wanted === 'messages' || wanted === 'recording';
}

const TEXT_KINDS: ReadonlySet<FileKind> = new Set([
  'messages',
  'transcript',
  'result',
  'array-of-messages',
  'pretty-printed',
  'other-json-lines',
  'har',
  'json',
  'csv',
  'text',
]);
