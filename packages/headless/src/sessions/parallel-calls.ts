import type { TranscriptEntry } from './transcript-entry.ts';

/**
 * Adds calls and results that a branch lacks because tools ran in parallel. Published agents write one entry for each block of a message, and link
 * each result to its call. Therefore, the branch that ends with one of the results lacks all other results and the later calls. A model refuses a
 * conversation in which calls have no results.
 */
export function withParallelCalls(
  branch: readonly TranscriptEntry[],
  entries: Iterable<TranscriptEntry>,
): readonly TranscriptEntry[] {
  const ids = callIdsIn(branch);
  // Nearly every branch is complete, so the other entries are searched only if something may be missing.
  const answered = new Map(branch.flatMap((entry) => resultIdsOf(entry).map((id) => [id, entry])));
  const messages = new Set(branch.filter((entry) => callIdsOf(entry).some((id) => answered.has(id))).map(messageIdOf));
  if (messages.size === 0) return branch;
  const on = new Map(branch.map((entry) => [entry.uuid, entry]));
  const calls = new Map<string, TranscriptEntry[]>();
  const results = new Map<string, TranscriptEntry[]>();
  for (const entry of entries) {
    const parent = on.get(entry.parentUuid ?? '');
    if (!entry.isSaid || on.has(entry.uuid) || parent?.message.type !== 'assistant') continue;
    const id = messageIdOf(parent);
    if (!messages.has(id)) continue;
    const isFurtherCall = entry.message.type === 'assistant' && messageIdOf(entry) === id;
    const isFurtherResult = resultIdsOf(entry).some((call) => ids.has(call) && !answered.has(call));
    if (!isFurtherCall && !isFurtherResult) continue;
    on.set(entry.uuid, entry);
    for (const call of callIdsOf(entry)) ids.add(call);
    add(isFurtherCall ? calls : results, id, entry);
  }
  return calls.size + results.size === 0 ? branch : merged(branch, calls, results);
}

/** Inserts each missing call after the last call of its message, and each missing result after the last result for this message. */
function merged(
  branch: readonly TranscriptEntry[],
  calls: ReadonlyMap<string, readonly TranscriptEntry[]>,
  results: ReadonlyMap<string, readonly TranscriptEntry[]>,
): readonly TranscriptEntry[] {
  const messageOfCall = new Map(branch.flatMap((entry) => callIdsOf(entry).map((id) => [id, messageIdOf(entry)])));
  const lastCall = new Map<string, TranscriptEntry>();
  const lastResult = new Map<string, TranscriptEntry>();
  for (const entry of branch) {
    if (entry.message.type === 'assistant') lastCall.set(messageIdOf(entry), entry);
    for (const id of resultIdsOf(entry)) lastResult.set(messageOfCall.get(id) ?? '', entry);
  }
  const after = new Map<TranscriptEntry, readonly TranscriptEntry[]>();
  for (const [id, entry] of lastCall) after.set(entry, calls.get(id) ?? []);
  for (const [id, entry] of lastResult) after.set(entry, results.get(id) ?? []);
  return branch.flatMap((entry) => [entry, ...(after.get(entry) ?? [])]);
}

function add(map: Map<string, TranscriptEntry[]>, key: string, entry: TranscriptEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

function callIdsIn(branch: readonly TranscriptEntry[]): Set<string> {
  return new Set(branch.flatMap(callIdsOf));
}

function callIdsOf({ message }: TranscriptEntry): readonly string[] {
  return message.type === 'assistant' ? idsOf(message, 'tool_use', 'id') : [];
}

function resultIdsOf({ message }: TranscriptEntry): readonly string[] {
  return message.type === 'user' ? idsOf(message, 'tool_result', 'tool_use_id') : [];
}

function idsOf(message: TranscriptEntry['message'], type: string, member: string): readonly string[] {
  const { content } = Object(message['message']) as { readonly content?: unknown };
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    const { [member]: id, type: kind } = Object(block) as Record<string, unknown>;
    return kind === type && typeof id === 'string' ? [id] : [];
  });
}

/** The id that all blocks of one model message share. */
function messageIdOf({ uuid, message }: TranscriptEntry): string {
  const { id } = Object(message['message']) as { readonly id?: unknown };
  return typeof id === 'string' ? id : uuid;
}
