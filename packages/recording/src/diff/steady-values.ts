/** A value of a message after ids and times were replaced, so that it is the same in every run. */
export type SteadyValue = string | number | boolean | null | undefined;

/** Matches the name of a member that contains an id, such as `request_id`, `uuid` or `parentUuid`. */
export const ID_NAME = /(?:^|_|[a-z])(?:id|uuid)s?$/i;

// A time limit that one side sends to the other is not a measured time.
const LIMIT_NAME = /timeout|limit|max|min|interval/i;
const TIME_NAME = /(?:^|_)(?:ms|at|time|timestamp|seconds|elapsed|duration)$|[a-z](?:Ms|At|Time|Timestamp|Seconds)$/;
// The id of a process, also within the name of its socket.
const PROCESS_NAME = /^p?pid$|[a-z]Pid$|_pid$/;
const PROCESS_SOCKET = /\b\d+\.sock\b/g;
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const NAMED_ID = /\b(?:toolu|srvtoolu|msg|req|call)_\w+/g;
const DATE_TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?/g;

/** Replaces a value that differs between two runs of the same session: an id or a measured time, including ids and times within a text. */
export function steadyValue(name: string, value: SteadyValue): SteadyValue {
  if (typeof value === 'number' && PROCESS_NAME.test(name)) return '(id)';
  if (typeof value === 'number') return TIME_NAME.test(name) && !LIMIT_NAME.test(name) ? '(time)' : value;
  if (typeof value !== 'string' || value === '') return value;
  if (ID_NAME.test(name)) return '(id)';
  // Most texts contain none of these characters.
  if (!/[-_.]/.test(value)) return value;
  return value
    .replaceAll(UUID, '(id)')
    .replaceAll(NAMED_ID, '(id)')
    .replaceAll(PROCESS_SOCKET, '(id).sock')
    .replaceAll(DATE_TIME, '(time)');
}
