import type { Claimed } from '../log/event-log.ts';

/** One call of a node on the stream of a schedule. `after` and `epoch` are the condition of a write. */
export type Call =
  | { readonly kind: 'claim'; readonly node: string; readonly ttlMs: number }
  | { readonly kind: 'release'; readonly epoch: number }
  | ({ readonly kind: 'append'; readonly ids: readonly string[] } & Condition)
  | ({ readonly kind: 'document'; readonly text: string } & Condition);

interface Condition {
  readonly after: number | undefined;
  readonly epoch: number | undefined;
}

/** The outcome of a call: its result, or the code of its rejection. */
export type Outcome = { readonly result: unknown } | { readonly code: string };

/** The state of a stream, according to the contract of `EventLog`. */
export interface LogState {
  readonly ids: readonly string[];
  readonly text: string | undefined;
  readonly claim: { readonly node: string; readonly epoch: number; readonly until: number } | undefined;
  /** The highest epoch so far. */
  readonly lastEpoch: number;
}

export const emptyLog: LogState = { ids: [], text: undefined, claim: undefined, lastEpoch: 0 };

/** Returns the state after a call; undefined if the call cannot have this outcome in this state. */
export function stateAfter(state: LogState, call: Call, outcome: Outcome, now: number): LogState | undefined {
  if (call.kind === 'claim') return 'result' in outcome ? afterClaim(state, call, outcome.result, now) : undefined;
  if (call.kind === 'release') {
    if (!('result' in outcome)) return undefined;
    return state.claim?.epoch === call.epoch ? { ...state, claim: undefined } : state;
  }
  const refusal = refusalIn(state, call);
  if (refusal !== undefined) return 'code' in outcome && outcome.code === refusal ? state : undefined;
  if (!('result' in outcome)) return undefined;
  if (call.kind === 'document') return { ...state, text: call.text };
  const ids = [...new Set([...state.ids, ...call.ids])];
  const known = new Set(state.ids);
  const expected = call.ids.map((id) => {
    const duplicate = known.has(id);
    known.add(id);
    return { id, sequence: ids.indexOf(id) + 1, duplicate };
  });
  return isSame(outcome.result, expected) ? { ...state, ids } : undefined;
}

function refusalIn(state: LogState, { after, epoch }: Condition): 'fenced' | 'conflict' | undefined {
  if (epoch !== undefined && epoch !== state.claim?.epoch) return 'fenced';
  return after !== undefined && after !== state.ids.length ? 'conflict' : undefined;
}

function afterClaim(
  state: LogState,
  { node, ttlMs }: Extract<Call, { readonly kind: 'claim' }>,
  result: unknown,
  now: number,
): LogState | undefined {
  const { claim, lastEpoch } = state;
  const { epoch, heldBy, heldForMs } = result as Claimed;
  if (claim !== undefined && claim.node !== node && now < claim.until) {
    return heldBy === claim.node && heldForMs === claim.until - now && epoch === undefined ? state : undefined;
  }
  if (epoch === undefined) return undefined;
  if (claim?.node === node ? epoch !== claim.epoch : epoch <= lastEpoch) return undefined;
  return { ...state, claim: { node, epoch, until: now + ttlMs }, lastEpoch: epoch };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
