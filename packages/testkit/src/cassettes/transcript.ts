import { parseRecording, type Recording, type RecordingEntry } from '@proto/recording';
import { messageOf } from './host-steps.ts';

/**
 * If the recorded host ended before its agent, the agent's last messages were not recorded. In this case, the live session is cut at the same point,
 * and its end is not compared. The live agent's folder is replaced by the recorded agent's folder.
 */
export function comparedTexts(
  recording: Recording,
  live: string,
): { readonly expected: string; readonly found: string } {
  const { header, entries: lived } = parseRecording(live);
  const entries = inFolder(lived, folderOf(lived), folderOf(recording.entries));
  const isCut = !recording.entries.some((entry) => 'end' in entry && entry.dir === 'from-agent');
  let left = recording.entries.filter(isOfAgent).length;
  const said = isCut ? entries.filter((entry) => !isOfAgent(entry) || left-- > 0) : entries;
  return {
    expected: textOf({ header: recording.header, entries: comparedEntries(recording.entries, isCut) }),
    found: textOf({ header, entries: comparedEntries(said, isCut) }),
  };
}

function folderOf(entries: readonly RecordingEntry[]): string | undefined {
  const init = entries.find((entry) => isOfAgent(entry) && 'line' in entry && entry.line.includes('"subtype":"init"'));
  const { cwd } = messageOf(init !== undefined && 'line' in init ? init.line : '');
  // A shorter name could also match inside other names.
  return typeof cwd === 'string' && cwd.length > 2 ? cwd : undefined;
}

/** Agents also write the folder in a form in which dashes replace other characters. */
function inFolder(
  entries: readonly RecordingEntry[],
  folder: string | undefined,
  other: string | undefined,
): readonly RecordingEntry[] {
  if (folder === undefined || other === undefined || folder === other) return entries;
  const names = [(path: string) => JSON.stringify(path).slice(1, -1), (path: string) => path.replaceAll(/[^\w]/g, '-')];
  const renames = names.map((nameOf) => {
    const pattern = nameOf(folder).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return (line: string) => line.replaceAll(new RegExp(`${pattern}(?![\\w.])`, 'g'), () => nameOf(other));
  });
  return entries.map((entry) =>
    'line' in entry ? { ...entry, line: renames.reduce((line, rename) => rename(line), entry.line) } : entry,
  );
}

function isOfAgent(entry: RecordingEntry): boolean {
  return 'dir' in entry && entry.dir === 'from-agent';
}

/** If both sides have ended, the entry that says which side closed first is left out, because it varies from run to run. */
function comparedEntries(entries: readonly RecordingEntry[], isCut: boolean): readonly RecordingEntry[] {
  const compared = isCut ? entries.filter((entry) => !('closed' in entry)) : entries;
  return compared.map((entry) => ('closed' in entry ? { ...entry, closed: 'peer' } : entry));
}

function textOf({ header, entries }: Recording): string {
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
