import { parseRecording, type Recording, type RecordingEntry } from '@proto/recording';

/**
 * The texts of a recorded session and of a live one that are compared. A host that left before the end of its agent has not recorded what the agent
 * said at last, so that the live session is cut there, and how it ended is not compared.
 */
export function comparedTexts(
  recording: Recording,
  live: string,
): { readonly expected: string; readonly found: string } {
  const { header, entries } = parseRecording(live);
  const isCut = !recording.entries.some((entry) => 'end' in entry && entry.dir === 'from-agent');
  let left = recording.entries.filter(isOfAgent).length;
  const said = isCut ? entries.filter((entry) => !isOfAgent(entry) || left-- > 0) : entries;
  return {
    expected: textOf({ header: recording.header, entries: comparedEntries(recording.entries, isCut) }),
    found: textOf({ header, entries: comparedEntries(said, isCut) }),
  };
}

function isOfAgent(entry: RecordingEntry): boolean {
  return 'dir' in entry && entry.dir === 'from-agent';
}

/** When both sides have ended, it is by chance which of them closes first. The status and the error stay. */
function comparedEntries(entries: readonly RecordingEntry[], isCut: boolean): readonly RecordingEntry[] {
  const compared = isCut ? entries.filter((entry) => !('closed' in entry)) : entries;
  return compared.map((entry) => ('closed' in entry ? { ...entry, closed: 'peer' } : entry));
}

function textOf({ header, entries }: Recording): string {
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
