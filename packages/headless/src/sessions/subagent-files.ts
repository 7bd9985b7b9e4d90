import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLine, type WireMessage } from '@proto/core/framing';
import type { SessionFile, SessionFileOptions } from './session-file.ts';
import { entryOf, uuidOf } from './transcript-entry.ts';

/** The ids that may be used in a file name. */
const PLAIN_ID = /^[\w-]{1,128}$/;

/**
 * Creates files in the form that published tools read: one file for each subagent, in a folder next to the session file. A second file,
 * `agent-ID.meta.json`, names the tool call that the subagent works for. If the id of a subagent could point outside the folder, its messages are not
 * stored.
 */
export function createSubagentFiles({
  path,
  sessionId,
  cwd,
  entrypoint,
}: SessionFileOptions): Required<Pick<SessionFile, 'appendSubagent'>> {
  const folder = join(path.slice(0, -'.jsonl'.length), 'subagents');
  const last = new Map<string, string | null>();

  function begin(agentID: string): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const about = JSON.stringify({ toolUseId: agentID });
    writeFileSync(join(folder, `agent-${agentID}.meta.json`), about, { mode: 0o600 });
  }

  return {
    appendSubagent(message: WireMessage, agentID: string) {
      if (!PLAIN_ID.test(agentID)) return;
      const parentUuid = last.get(agentID);
      if (parentUuid === undefined) begin(agentID);
      const place = { parentUuid: parentUuid ?? null, sessionId, cwd, entrypoint, isSidechain: true };
      const line = encodeLine({ ...entryOf(message, place), agentId: agentID });
      appendFileSync(join(folder, `agent-${agentID}.jsonl`), line, { mode: 0o600 });
      last.set(agentID, uuidOf(message));
    },
  };
}
