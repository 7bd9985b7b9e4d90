import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { RecordingEntry, RecordingHeader } from '@proto/recording';

import type { AgentProcess } from './agent-process.ts';
import type { SessionEvent } from './session-log.ts';

/**
 * `sjp replay` can play the recordings, and `sjp explain` can read them. Returns the path of the first recording, or `undefined` if no process was
 * started.
 */
export async function writeTrace(
  folder: string,
  id: string,
  sessions: readonly AgentProcess[],
): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [at, { events }] of sessions.entries()) {
    const path = join(folder, `${id.replaceAll('/', '-')}${at === 0 ? '' : `-${at + 1}`}.jsonl`);
    const header: RecordingHeader = { recording: 1, side: 'host', redacted: false };
    const rows = [header, ...events.flatMap(entriesOf)].map((row) => JSON.stringify(row));
    await writeFile(path, `${rows.join('\n')}\n`);
    paths.push(path);
  }
  return paths[0];
}

function entriesOf(event: SessionEvent): RecordingEntry[] {
  const { t } = event;
  if (event.kind === 'received') return [{ t, dir: 'from-agent', line: event.line.text }];
  if (event.kind === 'input-ended') return [{ t, dir: 'from-host', end: true }];
  if (event.kind === 'exited') {
    const status = event.code === null ? {} : { status: event.code };
    return [
      { t, dir: 'from-agent', end: true },
      { t, closed: 'peer', ...status },
    ];
  }
  const lines = event.text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => ({ t, dir: 'from-host' as const, line }));
}
