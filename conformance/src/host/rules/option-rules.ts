import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import type { HostRunOptions } from '../host-program.ts';
import type { RecordedLine } from '../host-session.ts';

type Members = Readonly<Record<string, unknown>>;

export interface UserActs {
  readonly options: HostRunOptions;
  readonly methods: readonly string[];
  readonly prompts: readonly unknown[];
  readonly isOpen: boolean;
}

/**
 * Returns what the host did not send to the agent although the user set it up or did it, and what the host sent although the user did not request it.
 */
export function wrongOptions(record: readonly RecordedLine[], acts: UserActs): BrokenRule[] {
  return [
    ...wrongHooks(record, acts.options),
    ...wrongServers(record, acts.options),
    ...wrongInterrupts(record, acts),
    ...earlyEnd(record, acts),
  ];
}

function requestsOf(record: readonly RecordedLine[], subtype: string): readonly Members[] {
  return record.flatMap((line) => {
    const request = 'message' in line && line.by === 'host' ? line.message['request'] : undefined;
    return isObject(request) && request['subtype'] === subtype ? [request] : [];
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Finds hooks that are missing under their event and matcher in `initialize`, and ids that occur twice there. */
function wrongHooks(record: readonly RecordedLine[], { hooks = [] }: HostRunOptions): BrokenRule[] {
  const [initialize] = requestsOf(record, 'initialize');
  if (initialize === undefined || hooks.length === 0) return [];
  const registered = isObject(initialize['hooks']) ? initialize['hooks'] : {};
  const entries = Object.entries(registered).flatMap(([event, matchers]) =>
    listOf(matchers).flatMap((each) =>
      listOf(member(each, 'hookCallbackIds')).map((id) => ({ id, place: placeOf(event, member(each, 'matcher')) })),
    ),
  );
  const ids = entries.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  const left = entries.map(({ place }) => place);
  const missing = hooks.find(({ event, matcher }) => {
    const at = left.indexOf(placeOf(event, matcher));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return [
    ...(twice === undefined
      ? []
      : [
          {
            rule: 'ids-of-hooks',
            spec: 'HOK-33',
            message: `Two hooks have the id ${shortJson(twice)}.`,
            got: initialize,
          },
        ]),
    ...(missing === undefined
      ? []
      : [
          {
            rule: 'registered-hooks',
            spec: 'HOK-38',
            message: `initialize does not contain the user's hook ${shortJson(missing)}.`,
            got: initialize,
          },
        ]),
  ];
}

/** A missing matcher, null and the empty string are equivalent. */
function placeOf(event: string, matcher: unknown): string {
  return JSON.stringify([event, matcher ?? '']);
}

/** Finds servers that neither `initialize` nor `--mcp-config` has named when the first turn begins. */
function wrongServers(record: readonly RecordedLine[], { servers = [] }: HostRunOptions): BrokenRule[] {
  const isTurn = record.some((line) => 'message' in line && line.by === 'agent' && line.message['subtype'] === 'init');
  if (servers.length === 0 || !isTurn) return [];
  const named = requestsOf(record, 'initialize').flatMap(({ sdkMcpServers }) => listOf(sdkMcpServers));
  const start = record.find((line) => 'event' in line && line.event === 'start');
  const argv = JSON.stringify(start !== undefined && 'event' in start ? member(start.detail, 'argv') : '') ?? '';
  const missing = servers.find((name) => !named.includes(name) && !argv.includes(`\\"${name}\\"`));
  return missing === undefined
    ? []
    : [{ rule: 'named-servers', spec: 'MCP-34', message: `The host did not name its server ${shortJson(missing)}.` }];
}

/** Finds interrupts that the user did not request, and interrupts that remove waiting prompts. A host that the user closes may stop the turn. */
function wrongInterrupts(record: readonly RecordedLine[], { methods }: UserActs): BrokenRule[] {
  const sent = requestsOf(record, 'interrupt');
  const cite = (message: string, got: unknown) => [{ rule: 'interrupts-of-the-user', spec: 'INT-34', message, got }];
  const clearing = sent.find((request) => request['cancel_queued'] === true);
  if (clearing !== undefined) return cite('An interrupt must not remove the queued prompts.', clearing);
  const asked = methods.filter((method) => method === 'interrupt').length;
  return sent.length > asked && !methods.includes('close')
    ? cite(`The user requested ${asked} interrupts, but the host sent ${sent.length}.`, sent.at(-1))
    : [];
}

/** Finds a host that has callbacks, but ends the input before the result of its last prompt. */
function earlyEnd(record: readonly RecordedLine[], { options, methods, prompts, isOpen }: UserActs): BrokenRule[] {
  const { permissions = false, hooks = [], servers = [] } = options;
  const hasCallbacks = permissions || hooks.length + servers.length > 0;
  if (!hasCallbacks || isOpen || methods.includes('close') || methods.includes('end')) return [];
  const end = record.findIndex((line) => 'event' in line && line.event === 'end-of-input');
  const results = record
    .slice(0, Math.max(0, end))
    .filter((line) => 'message' in line && line.by === 'agent' && line.message['type'] === 'result').length;
  return end !== -1 && results < prompts.length
    ? [
        {
          rule: 'open-input',
          spec: 'CLI-27',
          message: `The host ended the input after ${results} results, but its user gave ${prompts.length} prompts.`,
        },
      ]
    : [];
}
