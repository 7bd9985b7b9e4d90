import { parseRecording, type Recording, type RecordingEntry } from '@proto/recording';
import { messageOf } from './host-steps.ts';

/**
 * Returns a recorded and a live session as texts to compare. If the recorded host left before the end of its agent, the last messages of the agent
 * were not recorded. The live session is then cut at that place, and its end is not compared. The folder of the live agent is replaced by the folder
 * of the recorded agent.
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

/** Returns the folder that the agent names at the beginning of a session. */
function folderOf(entries: readonly RecordingEntry[]): string | undefined {
  const init = entries.find((entry) => isOfAgent(entry) && 'line' in entry && entry.line.includes('"subtype":"init"'));
  const { cwd } = messageOf(init !== undefined && 'line' in init ? init.line : '');
  // A shorter name would match inside other names.
  return typeof cwd === 'string' && cwd.length > 2 ? cwd : undefined;
}

/** Returns the entries with another folder. Agents also use the folder with dashes in place of other characters. */
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

/** Returns the entries to compare. When both sides have ended, chance decides which side closes first, so that side is not compared. */
function comparedEntries(entries: readonly RecordingEntry[], isCut: boolean): readonly RecordingEntry[] {
  const compared = isCut ? entries.filter((entry) => !('closed' in entry)) : entries;
  return compared.map((entry) => ('closed' in entry ? { ...entry, closed: 'peer' } : entry));
}

function textOf({ header, entries }: Recording): string {
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
