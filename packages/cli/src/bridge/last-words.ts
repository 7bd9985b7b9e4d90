import { failedResult } from '@proto/core/internal';
import { type Batch, batchOf, type TransportClose } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';

/**
 * What a host is told when its agent has died, or the way to it is gone: `agent_exited` as servers of sessions have it, for programs,
 * and a result that failed, which hosts show as the error of the turn.
 */
export function lastWords(close: TransportClose): Batch {
  const { error, status } = close;
  const end = processEndOf(close);
  // Whose session it was is not known to those who only hand on.
  const result = failedResult(error?.message ?? 'the agent is gone', '');
  if (end === undefined) return batchOf({ ...result, link_lost: { code: error?.code, status } });
  const { exitCode: code, signal, stderrTail: stderr } = end;
  const exited = { type: 'system', subtype: 'agent_exited', code, signal, stderr, restarting: false };
  return batchOf({ ...exited, uuid: crypto.randomUUID(), session_id: '' }, result);
}
