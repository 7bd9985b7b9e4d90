import { isObject, shortJson } from '@proto/testkit/steps';

import { byKeys } from '../../../by-keys.ts';
import { onceFor } from '../../../once-for.ts';
import type { Exchange, Observed } from '../../observed.ts';
import { bodyOf } from '../known-events.ts';
import type { Rule } from '../rule.ts';

interface Row {
  readonly uuid: unknown;
  readonly isOfSubagent: boolean;
}

/** A row, with its place among all rows, and its place among those of the main conversation. */
interface StoredRow extends Row {
  readonly place: number;
  readonly placeInMain: number;
}

/** The rows of a session. */
class StoredRows {
  readonly #rows = new Map<unknown, StoredRow>();
  readonly main: unknown[] = [];

  get size(): number {
    return this.#rows.size;
  }

  add(row: Row): void {
    if (this.#rows.has(row.uuid)) return;
    this.#rows.set(row.uuid, { ...row, place: this.#rows.size, placeInMain: this.main.length });
    if (!row.isOfSubagent) this.main.push(row.uuid);
  }

  get(uuid: unknown): StoredRow | undefined {
    return this.#rows.get(uuid);
  }
}

/** An answer with rows of the transcript. */
interface Read {
  readonly uuids: readonly unknown[];
  /** Returns a row that was stored before the answer. */
  readonly rowOf: (uuid: unknown) => StoredRow | undefined;
  /** The rows of the main conversation, of which the first `mainSize` were stored before the answer. */
  readonly main: readonly unknown[];
  readonly mainSize: number;
  readonly withSubagents: boolean;
  /** Whether the answer contains the last row that it may contain. */
  readonly isToTheEnd: boolean;
  /** The last row of the answer whose `next_cursor` the request repeats. */
  readonly after: StoredRow | undefined;
}

/** The rules about the rows that a worker reads: they must be the rows that workers have stored before. */
export const transcriptRules: readonly Rule[] = [
  eachRead('order-of-rows', 'WRK-49', ({ uuids, rowOf }) => {
    const places = uuids.map((uuid) => rowOf(uuid)?.place ?? -1);
    const at = places.findIndex((place, index) => index > 0 && place < (places[index - 1] ?? 0));
    return at === -1 ? undefined : `the row ${shortJson(uuids[at])} follows a row that was stored later`;
  }),
  eachRead('rows-of-subagents', 'WRK-50', ({ uuids, rowOf, withSubagents }) => {
    const rows = (withSubagents ? [] : uuids).flatMap((uuid) => rowOf(uuid) ?? []);
    const [row] = rows.filter(({ isOfSubagent }) => isOfSubagent).toSorted((a, b) => a.place - b.place);
    return row && `it contains the row ${shortJson(row.uuid)} of a subagent, which was not requested`;
  }),
  eachRead('one-row-for-a-uuid', 'WRK-47', ({ uuids, rowOf, main, mainSize, withSubagents, isToTheEnd }) => {
    const known = new Set(uuids);
    const twice = known.size < uuids.length ? uuids.find((uuid, at) => uuids.indexOf(uuid) !== at) : undefined;
    if (twice !== undefined) return `it contains the row ${shortJson(twice)} twice`;
    // Whether rows of the main conversation belong to an answer with rows of subagents is not defined.
    if (withSubagents || uuids.length === 0) return undefined;
    const placeOf = (uuid: unknown) => (rowOf(uuid)?.isOfSubagent === false ? rowOf(uuid)?.placeInMain : undefined);
    const [first, last] = [placeOf(uuids[0]), placeOf(uuids.at(-1)) ?? mainSize - 1];
    if (first === undefined) return undefined;
    const missing = main.slice(first, isToTheEnd ? mainSize : last).find((uuid) => !known.has(uuid));
    return missing === undefined ? undefined : `it does not contain the row ${shortJson(missing)}, which was stored`;
  }),
  eachRead('pages-continue', 'WRK-52', ({ uuids, rowOf, after, withSubagents }) => {
    const first = rowOf(uuids[0]);
    if (after === undefined || first === undefined) return undefined;
    if (first.place <= after.place)
      return `it begins with the row ${shortJson(first.uuid)}, although its cursor is after the row ${shortJson(after.uuid)}`;
    const isNext = withSubagents || after.isOfSubagent || first.placeInMain === after.placeInMain + 1;
    return isNext
      ? undefined
      : `it begins with the row ${shortJson(first.uuid)}, but other rows follow the row ${shortJson(after.uuid)}`;
  }),
];

function eachRead(name: string, spec: string, problem: (read: Read) => string | undefined): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const session of observed.sessions)
        for (const read of readsOf(session, observed)) {
          const found = problem(read);
          if (found !== undefined) yield `An answer to GET S/worker/internal-events is wrong: ${found}.`;
        }
    },
  };
}

/** Returns an empty list if two requests about the transcript were in progress at the same time, or if the result of one is unknown. */
function readsOf(session: string, observed: Observed): readonly Read[] {
  const { exchanges, lost } = requestsAbout(observed);
  const all = (exchanges.get(session) ?? []).toSorted((a, b) => a.began - b.began);
  const areAtOnce = all.some(({ began }, at) => at > 0 && began < (all[at - 1]?.ended ?? 0));
  if (areAtOnce || lost.has(session)) return [];
  const stored = new StoredRows();
  const lastRows = new Map<string, StoredRow | undefined>();
  return all.flatMap((exchange): readonly Read[] => {
    if (exchange.status > 299) return [];
    if (exchange.method === 'GET') return readOf(exchange, stored, lastRows);
    for (const row of rowsIn(exchange)) stored.add(row);
    return [];
  });
}

/** The requests about the transcripts, by session. */
const requestsAbout = onceFor(({ exchanges, lost }: Observed) => {
  const sessionIn = ({ path }: { readonly path: string }) =>
    /\/([^/]+)\/worker\/internal-events/.exec(path)?.slice(1) ?? [];
  return { exchanges: byKeys(exchanges, sessionIn), lost: byKeys(lost, sessionIn) };
});

/** Notes the last row of the answer in `lastRows`, by the cursor of the next page. */
function readOf(
  { path, body }: Exchange,
  stored: StoredRows,
  lastRows: Map<string, StoredRow | undefined>,
): readonly Read[] {
  if (!isObject(body) || !Array.isArray(body['data'])) return [];
  const { size } = stored;
  const query = new URLSearchParams(path.split('?')[1]);
  const rows = body['data'].map((row: unknown) => (isObject(row) && isObject(row['payload']) ? row['payload'] : {}));
  const after = lastRows.get(query.get('cursor') ?? '');
  const last = rows.at(-1);
  if (typeof body['next_cursor'] === 'string') lastRows.set(body['next_cursor'], last && stored.get(last['uuid']));
  return [
    {
      after,
      uuids: rows.map(({ uuid }) => uuid),
      rowOf: (uuid) => {
        const row = stored.get(uuid);
        return row !== undefined && row.place < size ? row : undefined;
      },
      main: stored.main,
      mainSize: stored.main.length,
      withSubagents: query.get('subagents') === 'true',
      isToTheEnd: typeof body['next_cursor'] !== 'string' && query.get('limit') === null,
    },
  ];
}

function rowsIn(exchange: Exchange): readonly Row[] {
  const json = bodyOf(exchange);
  const events: unknown = isObject(json) ? json['events'] : undefined;
  return (Array.isArray(events) ? events : []).flatMap((entry: unknown) => {
    const payload = isObject(entry) ? entry['payload'] : undefined;
    if (!isObject(entry) || !isObject(payload) || typeof payload['uuid'] !== 'string') return [];
    return [{ uuid: payload['uuid'], isOfSubagent: entry['session_agent_id'] !== undefined }];
  });
}
