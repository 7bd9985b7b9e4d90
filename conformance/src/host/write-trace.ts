import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingEntry, RecordingHeader } from '@proto/recording';

import type { HostSession } from './host-session.ts';

/** `sjp replay` can play the recording, and `sjp explain` can read it. Returns the path of the recording. */
export async function writeTrace(folder: string, id: string, { written }: HostSession): Promise<string> {
  const path = join(folder, `${id.replaceAll('/', '-')}.jsonl`);
  const header: RecordingHeader = { recording: 1, side: 'agent', redacted: false };
  const end: RecordingEntry[] = [{ t: written.at(-1)?.t ?? 0, dir: 'from-agent', end: true }];
  await mkdir(folder, { recursive: true });
  await writeFile(path, [header, ...written, ...end].map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}
