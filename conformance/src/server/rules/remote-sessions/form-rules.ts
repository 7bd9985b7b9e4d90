import { isObject } from '@proto/testkit/steps';

import type { Exchange } from '../../observed.ts';
import type { Rule } from '../rule.ts';

type Body = Readonly<Record<string, unknown>>;

export const formRules: readonly Rule[] = [
  eachAnswer(
    'form-of-credentials',
    'WRK-15',
    /^POST .*\/bridge$/,
    ({ worker_jwt, api_base_url, expires_in, worker_epoch }) =>
      isText(worker_jwt) &&
      /^https?:\/\/./.test(String(api_base_url)) &&
      typeof expires_in === 'number' &&
      expires_in > 0 &&
      isEpoch(worker_epoch)
        ? undefined
        : 'the token, the address, the lifetime in seconds or the epoch is missing',
  ),
  eachAnswer('status-of-credentials', 'WRK-14', /^POST .*\/bridge$/, (_, { status }) =>
    status === 200 ? undefined : 'its status is not 200',
  ),
  eachAnswer('form-of-registrations', 'WRK-16', /^POST .*\/worker\/register$/, ({ worker_epoch }) =>
    isEpoch(worker_epoch) ? undefined : 'it contains no epoch',
  ),
  eachAnswer('form-of-states', 'WRK-20', /^GET .*\/worker$/, ({ worker }) =>
    isObject(worker) && isObject(worker['external_metadata']) && isObject(worker['internal_metadata'])
      ? undefined
      : 'it contains no `worker` with the objects `external_metadata` and `internal_metadata`',
  ),
  eachAnswer('form-of-rows', 'WRK-49', /^GET .*\/worker\/internal-events(\?|$)/, ({ data }) =>
    Array.isArray(data) && data.every(isRow) ? undefined : 'it contains no list `data` of complete rows',
  ),
  eachAnswer('rows-of-a-page', 'WRK-56', /^GET .*\/worker\/internal-events\?/, ({ data, next_cursor }, { path }) => {
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? Number.NaN);
    if (!Array.isArray(data) || !(limit > 0)) return undefined;
    if (data.length > limit) return `it contains ${data.length} rows, and the limit is ${limit}`;
    const isShort = data.length < limit && typeof next_cursor === 'string';
    return isShort ? `it contains only ${data.length} of ${limit} rows, although the transcript goes on` : undefined;
  }),
  eachAnswer('form-of-sessions', 'REM-1', /^POST .*\/v1\/code\/sessions$/, ({ session }, { status }) =>
    status <= 201 && isObject(session) && isText(session['id'])
      ? undefined
      : 'its status is not 200 or 201, or it contains no `session.id`',
  ),
  eachAnswer('ids-of-sessions', 'REM-2', /^POST .*\/v1\/code\/sessions$/, ({ session }) =>
    isObject(session) && /^cse_[\w-]+$/.test(String(session['id']))
      ? undefined
      : 'the id of the session does not have the form `cse_…`',
  ),
  eachAnswer('form-of-subscribers', 'EVS-58', /^POST .*\/worker\/events$/, ({ has_subscribers }) =>
    ['boolean', 'undefined'].includes(typeof has_subscribers) ? undefined : '`has_subscribers` is not a boolean',
  ),
  {
    name: 'when-to-come-back',
    spec: 'ERR-10',
    *check({ exchanges }) {
      for (const { status, method, path, headers } of exchanges)
        if (status === 429 && !/^\d+$/.test(headers['retry-after'] ?? ''))
          yield `The answer to ${method} ${path} with the status 429 does not contain the header Retry-After in whole seconds.`;
    },
  },
];

function eachAnswer(
  name: string,
  spec: string,
  request: RegExp,
  problem: (body: Body, exchange: Exchange) => string | undefined,
): Rule {
  return {
    name,
    spec,
    *check({ exchanges }) {
      for (const exchange of exchanges) {
        const { status, method, path, body } = exchange;
        if (status < 200 || status > 299 || !request.test(`${method} ${path}`)) continue;
        const found = problem(isObject(body) ? body : {}, exchange);
        if (found !== undefined) yield `The answer to ${method} ${path} with the status ${status} is wrong: ${found}.`;
      }
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isEpoch(value: unknown): boolean {
  return Number.isInteger(value) || (typeof value === 'string' && /^\d+$/.test(value));
}

function isRow(row: unknown): boolean {
  return (
    isObject(row) &&
    typeof row['event_id'] === 'string' &&
    isObject(row['payload']) &&
    row['payload']['type'] === row['event_type'] &&
    typeof row['is_compaction'] === 'boolean' &&
    !Number.isNaN(Date.parse(String(row['created_at'])))
  );
}
