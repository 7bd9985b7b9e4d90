import { parseLine, type WireMessage } from '@proto/core/framing';
import { isTooDeep, type WorkerLink } from '@proto/core/internal';
import { TransportError } from '@proto/core/transport';
import { cutBranch } from '../sessions/cut-branch.ts';
import { createTranscriptStore } from '../sessions/transcript-store.ts';
import type { OpenSession } from '../sessions/opened-session.ts';
import { entryOf, type EntryPlace, readEntry, type TranscriptEntry, uuidOf } from '../sessions/transcript-entry.ts';
import { createTranscript } from '../sessions/transcript.ts';

type Rows = WorkerLink['internalEvents'];

/**
 * The next worker restores the session from the rows that this session stores on its server. The conversation begins with the rows of earlier
 * workers, whether or not the command line requests a resume.
 */
export function openWorkerSession({ internalEvents }: WorkerLink): OpenSession {
  return async (options, { cwd, warn }) => {
    const { resumeSessionAt, resumeDropsTurn, sessionPersistence = true } = options;
    const rows = await readRows(internalEvents).catch((error: unknown) => {
      // The server does not store rows. The session works, but the next worker starts a new conversation.
      if (!TransportError.is(error) || error.status !== 404) throw error;
      warn('Warning: the server of this session does not keep a transcript');
      return undefined;
    });
    const cut = cutBranch(rows?.entries ?? [], { at: resumeSessionAt, dropsTurn: resumeDropsTurn });
    if ('missing' in cut) return cut;
    const sessionId = options.sessionId ?? cut.entries.at(-1)?.sessionId ?? crypto.randomUUID();
    const history = cut.entries.map(({ message }) => message);
    const keeps = rows !== undefined && sessionPersistence;
    const file = keeps ? rowsFile(internalEvents, { sessionId, cwd, parentUuid: uuidOf(history.at(-1)) }) : undefined;
    const store = createTranscriptStore({ history, file, sessionId, warn });
    return {
      sessionId,
      history,
      subagentHistory: rows?.subagents ?? new Map(),
      // Always false: if the server sends a prompt again, the turn of the prompt began but did not finish.
      store: { ...store, has: () => false, appendSubagent: (message, agentID) => file?.append(message, agentID) },
    };
  };
}

/** Appends rows. Each row names the previous row on its thread. */
function rowsFile(rows: Rows, { sessionId, cwd, parentUuid }: EntryPlace) {
  const last = new Map([['', parentUuid]]);
  return {
    append(message: WireMessage, agentID = '') {
      const isSidechain = agentID !== '';
      const place = { sessionId, cwd, parentUuid: last.get(agentID) ?? null, isSidechain };
      last.set(agentID, uuidOf(message));
      rows.append(message.type, entryOf(message, place), isSidechain ? { session_agent_id: agentID } : {});
    },
    // Viewers set the title of the session, and the server stores it.
    setTitle() {},
    close() {},
  };
}

export interface ReadRows {
  readonly entries: readonly TranscriptEntry[];
  readonly subagents: ReadonlyMap<string, readonly WireMessage[]>;
}

/** Reads the rows of earlier workers for the main thread and each subagent, in order. */
export async function readRows(rows: Pick<Rows, 'read'>): Promise<ReadRows> {
  const main = createTranscript();
  const subagents = new Map<string, WireMessage[]>();
  for await (const row of rows.read('foreground')) {
    const entry = entryIn(row);
    if (entry !== undefined) main.add(entry);
  }
  for await (const row of rows.read('subagents')) {
    const entry = entryIn(row);
    const { session_agent_id: agentID } = row as { readonly session_agent_id?: unknown };
    if (entry === undefined || typeof agentID !== 'string') continue;
    subagents.set(agentID, [...(subagents.get(agentID) ?? []), entry.message]);
  }
  return { entries: main.branch(), subagents };
}

/** Returns `undefined` for a value that is not a row. */
function entryIn(row: unknown): TranscriptEntry | undefined {
  const { payload } = (row ?? {}) as { readonly payload?: unknown };
  if (isTooDeep(payload)) return undefined;
  const { message } = parseLine(JSON.stringify(payload ?? null));
  return message && readEntry(message);
}
