import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import type { RecordedLine } from '../host-session.ts';

const HANDED_ON = new Set(['assistant', 'user', 'stream_event', 'result']);

/**
 * Finds faults in the messages that the user of a host received in `events`. The user must receive all of the agent's messages unchanged, once each
 * and in order. With `isWhole`, no message may be missing at the end.
 */
export function wrongMessages(
  record: readonly RecordedLine[],
  events: readonly unknown[],
  isWhole: boolean,
): BrokenRule[] {
  const sent = record.flatMap((line) => ('message' in line && line.by === 'agent' ? [line] : []));
  // A line that a step writes as text may not be a valid message, and hosts may leave it out.
  const odd = sent.filter(({ isText }) => isText).map(({ message }) => message);
  const wanted = sent.filter(({ message, isText }) => !isText && HANDED_ON.has(String(message['type'])));
  const got = events.flatMap((event) => {
    const message = isObject(event) && event['type'] === 'message' ? event['message'] : undefined;
    return isObject(message) && HANDED_ON.has(String(message['type'])) && !odd.some((each) => same(each, message))
      ? [message]
      : [];
  });
  const sign = events.find(
    (event) => isObject(event) && isObject(event['message']) && event['message']['type'] === 'keep_alive',
  );
  if (sign !== undefined)
    return [{ rule: 'no-keep-alive', spec: 'FRM-27', message: 'A keep_alive message reached the user.', got: sign }];
  const at = got.findIndex((message, place) => !same(wanted[place]?.message, message));
  const cite = (message: string, found?: unknown) => [{ rule: 'handed-on', spec: 'TRN-59', message, got: found }];
  if (at !== -1)
    return cite(
      `Message ${at + 1} that reached the user differs from the message that the agent sent: ${shortJson(wanted[at]?.message)}.`,
      got[at],
    );
  const missing = wanted[got.length];
  return isWhole && missing !== undefined
    ? cite(`A message did not reach the user: ${shortJson(missing.message)}.`, missing.message)
    : [];
}

/** A member that is `undefined` does not exist in JSON. */
function same(sent: unknown, got: unknown): boolean {
  return isDeepStrictEqual(sent === undefined ? undefined : JSON.parse(JSON.stringify(sent)), got);
}
