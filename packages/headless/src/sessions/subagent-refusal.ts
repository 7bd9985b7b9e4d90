import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isUuid } from '../flags/check-options.ts';
import { entriesIn } from './transcript.ts';

/**
 * The error says which session to resume instead. Returns `undefined` for a file that is not the transcript of a subagent. `directory` is the folder
 * with the sessions that can be resumed by their id.
 */
export async function subagentRefusal(path: string, directory: string): Promise<string | undefined> {
  const name = basename(path);
  let sessionId: string | undefined;
  let isOfSubagent = /^agent-.*\.jsonl$/.test(name);
  for await (const entry of entriesIn(path)) {
    if (!entry.isSidechain) continue;
    isOfSubagent = true;
    sessionId = entry.sessionId;
    break;
  }
  // Old agents store the messages of subagents in the session file.
  if (!isOfSubagent || name === `${sessionId}.jsonl`) return undefined;
  const folder = dirname(dirname(path));
  const session = [sessionId, basename(folder)].find((id) => id !== undefined && isUuid(id));
  const what = `${name} is the transcript of a subagent, which cannot be resumed without its session.`;
  if (session === undefined) return `${what} Resume the session that started the subagent.`;
  const file = `${session}.jsonl`;
  const nearby = [join(dirname(path), file), join(dirname(folder), file)].find((found) => existsSync(found));
  const isHere = nearby === undefined || existsSync(join(directory, file));
  return `${what} Resume the session instead: --resume=${isHere ? session : nearby}`;
}
