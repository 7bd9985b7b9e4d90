import type { FileKind } from './file-kind.ts';

/** What a command reports about a file of a different kind than expected. */
export interface FileNote {
  /**
   * The kind of the file. `older-agent`: the first message lacks members that newer agents write. `not-a-recording`: the file contains only messages.
   */
  readonly kind: FileKind | 'older-agent' | 'not-a-recording';
  /** A description of the file. */
  readonly message: string;
  /** What the user should do. */
  readonly hint: string;
}

/** What a kind of file is, and what to do with it. `FILE` is replaced with its name, and `COMMAND` with the command. */
const NOTES: Readonly<
  Record<Exclude<FileNote['kind'], 'messages' | 'recording'>, readonly [is: string, hint: string]>
> = {
  empty: ['is empty', 'check the stderr and the exit code of the program that should have written the file'],
  'only-nuls': ['contains only NULs, which a crash or a full disk can cause', 'use another copy of the file'],
  'utf-16le': ['is UTF-16 text, as written by > in Windows PowerShell', utf8From('UTF-16LE')],
  'utf-16be': ['is UTF-16 text', utf8From('UTF-16BE')],
  'utf-32': ['is UTF-32 text', utf8From('UTF-32')],
  gzip: ['is compressed with gzip', unpackedBy('gunzip -c FILE')],
  zip: ['is a ZIP archive', unpackedBy('unzip -p FILE')],
  bzip2: ['is compressed with bzip2', unpackedBy('bunzip2 -c FILE')],
  xz: ['is compressed with xz', unpackedBy('xz -dc FILE')],
  zstd: ['is compressed with zstd', unpackedBy('zstd -dc FILE')],
  sqlite: [
    'is an SQLite database, such as the store of sjp serve --store',
    'list its sessions with sjp sessions ls --store FILE',
  ],
  binary: ['is not text', 'give JSON lines with one message per line, or a recording from sjp run --record'],
  transcript: [
    'is the transcript of a session, which an agent needs to resume the session; it does not contain the messages of host and agent',
    'continue the session with --resume, or record the messages of both sides with sjp run --record or sjp bridge --tap',
  ],
  result: [
    'is a single result, which --output-format json writes',
    'for all messages of a session, run the agent with --output-format stream-json --verbose',
  ],
  'array-of-messages': [
    'is a JSON array of messages, which --output-format json --verbose writes',
    "write one message per line, with jq -c '.[]' FILE, or run the agent with --output-format stream-json --verbose",
  ],
  'pretty-printed': ['is pretty-printed JSON', 'write one message per line, with jq -c . FILE'],
  'other-json-lines': [
    'contains JSON lines that are not messages: messages have a type',
    'read the output of another agent with sjp convert, or record a session with sjp run --record',
  ],
  har: [
    'is a HAR file, which contains HTTP requests of a browser',
    'record the messages of host and agent with sjp run --record or sjp bridge --tap',
  ],
  json: [
    'is a single JSON value, not one message per line',
    'give JSON lines with one message per line, or a recording from sjp run --record',
  ],
  csv: ['is a table, such as CSV, not JSON lines', 'give JSON lines with one message per line'],
  text: [
    'is text, but not JSON lines',
    'give JSON lines with one message per line: run the agent with --output-format stream-json --verbose',
  ],
  'older-agent': [
    'is the output of an older agent, or of an agent that omits members',
    'each missing member is listed once: update the agent, or add these members to its messages',
  ],
  'not-a-recording': [
    'contains messages, but is not a recording',
    'record a session with sjp run --record or sjp bridge --tap',
  ],
};

/**
 * Describes a file. `file` is the name of the file, or `-` for stdin. `command` is the command that the hint recommends. `is` replaces the
 * description of the kind.
 */
export function fileNoteOf(kind: keyof typeof NOTES, file: string, command: string, is = NOTES[kind][0]): FileNote {
  const subject = file === '-' ? 'the input' : file;
  // If a name needs quotes in a shell, it is not written into the hint.
  const name = /^[\w./+@:-]+$/.test(file) && file !== '-' ? file : 'FILE';
  const hint = NOTES[kind][1].replaceAll('FILE', () => name).replaceAll('COMMAND', () => command);
  return { kind, message: `${subject} ${is}`, hint };
}

/** Returns the note as one string. */
export function noteText({ message, hint }: Pick<FileNote, 'message' | 'hint'>): string {
  return `${message}; ${hint}`;
}

function utf8From(encoding: string): string {
  return `write it as UTF-8, with iconv -f ${encoding} -t UTF-8 FILE, or in PowerShell with Get-Content FILE | Set-Content -Encoding utf8 NEW`;
}

function unpackedBy(command: string): string {
  return `unpack it first, such as ${command} | COMMAND -`;
}
