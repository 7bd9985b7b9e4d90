import { splitAtNul } from '@proto/core/internal';
import { parseJson, parseLine, type WireMessage } from '@proto/core/framing';
import { createDriftReport, type Finding } from '@proto/core/drift';
import { type FileNote, fileNoteOf } from './file-note.ts';

/**
 * Returns the note for a file whose first message, `system/init`, lacks members that newer agents write. Undefined if the beginning of the file has
 * no such message.
 */
export function olderAgentNote(head: Uint8Array, file: string, command: string): FileNote | undefined {
  const lines = new TextDecoder().decode(head).split('\n').flatMap(splitAtNul);
  const init = lines.map(messageIn).find((message) => message?.type === 'system' && message['subtype'] === 'init');
  if (init === undefined) return undefined;
  const found = createDriftReport({ direction: 'from-agent' }).read(JSON.stringify(init));
  const lacks = found.some(
    ({ code, path = '' }) => code === 'invalid' && !path.includes('.') && init[path] === undefined,
  );
  if (!lacks) return undefined;
  const { claude_code_version: version } = init;
  const isNamed = typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version);
  return fileNoteOf(
    'older-agent',
    file,
    command,
    isNamed ? `is the output of an older agent, version ${version}` : undefined,
  );
}

function messageIn(line: string): WireMessage | undefined {
  const { message } = parseLine(line);
  // A line of a recording contains the message in `line`, so it has no `type`.
  if (message !== undefined || !line.includes('"line"')) return message;
  try {
    const { line: text } = parseJson(line) as { readonly line?: unknown };
    return typeof text === 'string' ? parseLine(text).message : undefined;
  } catch {
    return undefined;
  }
}

/** Counts findings that differ only in their line. Returns each finding once, with its count and its first line. */
export class RepeatedFindings {
  readonly #found = new Map<string, Finding>();

  /** Adds a finding. Returns whether it is the first of its kind. */
  add(finding: Finding): boolean {
    const { code, name, path = '', message } = finding;
    const key = JSON.stringify([code, name, path.replaceAll(/\b\d+\b/g, '[]'), message]);
    const first = this.#found.get(key);
    this.#found.set(key, first === undefined ? finding : { ...first, count: first.count + finding.count });
    return first === undefined;
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }
}
