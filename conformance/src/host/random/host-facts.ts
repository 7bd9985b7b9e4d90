import { isObject } from '@proto/testkit/steps';

import { sortedJson } from '../../random/differing-parts.ts';
import { countsOf, type Facts, nameAt } from '../../random/facts.ts';
import type { RecordedLine } from '../host-session.ts';
import type { UserCall } from '../rules/call-rules.ts';

/** A session of a host that was played to its end. */
export interface PlayedHost {
  readonly record: readonly RecordedLine[];
  /** What the host has passed to its user. */
  readonly events: readonly unknown[];
  readonly calls: readonly UserCall[];
}

type NamedFact = readonly [string, string];
type Members = Readonly<Record<string, unknown>>;

/** What a host did in a session: how it answered each request, how each call of its user settled, and which prompts it sent. */
export function factsOfHost({ record, events, calls }: PlayedHost): Facts {
  return new Map([...answers(record), ...settledCalls(events, calls), ...prompts(record)]);
}

/** If several requests have the same id, only the first is compared. A request whose id was generated in this run is in no other run. */
function answers(record: readonly RecordedLine[]): NamedFact[] {
  const requests = new Map<unknown, string>();
  const responses = new Map<unknown, Members>();
  for (const line of record) {
    if (!('message' in line) || line.isText === true) continue;
    const { type, request_id: id, request, response } = line.message;
    if (line.by === 'agent' && type === 'control_request' && isObject(request) && !requests.has(id))
      requests.set(id, String(request['subtype']));
    if (line.by === 'host' && type === 'control_response' && isObject(response)) {
      const answered = response['request_id'];
      if (requests.has(answered) && !responses.has(answered)) responses.set(answered, response);
    }
  }
  return [...requests].map(([id, subtype]) => [nameAt(`answer to ${subtype}`, id), outcomeOf(responses.get(id))]);
}

function outcomeOf(response: Members | undefined): string {
  if (response === undefined) return 'none';
  return response['subtype'] === 'error' ? 'error' : sortedJson(response['response'] ?? {});
}

function settledCalls(events: readonly unknown[], calls: readonly UserCall[]): NamedFact[] {
  const outcomes = new Map(
    events.flatMap((event): [unknown, string][] =>
      isObject(event) && event['type'] === 'called'
        ? [[event['id'], (event['error'] ?? null) === null ? 'success' : 'error']]
        : [],
    ),
  );
  return calls.map(({ id, method }) => [nameAt(`call of ${method}`, id), outcomes.get(id) ?? 'none']);
}

function prompts(record: readonly RecordedLine[]): NamedFact[] {
  const sent = record.flatMap((line) =>
    'message' in line && line.by === 'host' && line.message['type'] === 'user' ? [line.message] : [],
  );
  return [
    ...sent.map(({ message }, at): NamedFact => [nameAt('text of a prompt', at + 1), sortedJson(contentOf(message))]),
    ...countsOf(sent.map(() => 'prompts')),
  ];
}

/** A host may write a text either as a string or as a list with one block. */
function contentOf(message: unknown): unknown {
  const content = isObject(message) ? message['content'] : undefined;
  const [block, ...more] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const isText = isObject(block) && block['type'] === 'text' && more.length === 0;
  return (isText ? block['text'] : content) ?? null;
}
