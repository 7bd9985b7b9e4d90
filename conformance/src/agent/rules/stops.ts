import { onceFor } from '../../once-for.ts';
import { member, type Session } from '../session-log.ts';
import { hasFrom } from '../../positions.ts';
import { Spans } from './spans.ts';
import { answeredId, payloadOf, subtypeOf } from './timeline.ts';

/** The positions at which the agent answered a request or reported the start of a prompt, by the id of the request or prompt. */
const actedOnAt: (session: Session) => ReadonlyMap<unknown, number> = onceFor(
  ({ received }) =>
    new Map(
      received.flatMap(({ message, at }) => {
        const id = message['state'] === 'started' ? message['command_uuid'] : answeredId(message);
        return id === undefined ? [] : [[id, at] as const];
      }),
    ),
);

interface Stops {
  /** Requests and prompts that stop a turn, until the agent acted on them. */
  readonly pending: Spans<unknown>;
  /** Also answers that stop a turn. */
  readonly all: readonly { readonly at: number }[];
}

const stopsOf: (session: Session) => Stops = onceFor((session) => {
  const acted = actedOnAt(session);
  const stops = session.sent.flatMap(({ message, at }) => {
    const isStop = ['interrupt', 'end_session'].includes(String(subtypeOf(message))) || message['priority'] === 'now';
    const payload = payloadOf(message);
    const isAnswer = member(payload, 'interrupt') === true || member(payload, 'continue') === false;
    const until = acted.get(message['request_id'] ?? message['uuid']) ?? Infinity;
    return isStop || isAnswer ? [{ at, from: at, until, item: message, isStop }] : [];
  });
  return { pending: new Spans(stops.filter(({ isStop }) => isStop)), all: stops };
});

/**
 * Whether the host sent something between two positions that may end a turn or leave it without a further reply. Something that was sent earlier
 * also counts if the agent had not acted on it before the first position.
 */
export function mayStop(session: Session, from: number, to: number): boolean {
  if (session.signalledByStep === true) return true;
  const { pending, all } = stopsOf(session);
  const isPending = pending.across(Math.min(from, to), from).length > 0;
  return isPending || hasFrom(all, from, to);
}
