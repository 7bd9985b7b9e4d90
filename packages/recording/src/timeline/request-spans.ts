import type { Direction } from '../recording.ts';
import { isText, type Members, membersOf } from './members.ts';
import type { SpanKind } from './span-table.ts';
import { OpenIds, type SpanWriter } from './span-writer.ts';
import type { TurnSpans } from './turn-spans.ts';

const KINDS: Readonly<Record<string, SpanKind>> = {
  can_use_tool: 'permission',
  hook_callback: 'hook',
  mcp_message: 'mcp',
};
const OPPOSITE = { 'from-agent': 'from-host', 'from-host': 'from-agent' } as const;

/** Each method processes a message and returns the span that the message belongs to. */
export class RequestSpans {
  readonly #writer: SpanWriter;
  readonly #turns: TurnSpans;
  readonly #open: OpenIds;

  constructor(writer: SpanWriter, turns: TurnSpans) {
    this.#writer = writer;
    this.#turns = turns;
    this.#open = new OpenIds(writer);
  }

  asked(dir: Direction, message: Members): number {
    const request = membersOf(message['request']) ?? {};
    const { subtype: given, tool_use_id: call } = request;
    const subtype = isText(given) ? given : 'request';
    const kind = Object.hasOwn(KINDS, subtype) ? (KINDS[subtype] as SpanKind) : 'request';
    const parent = this.#turns.callOrTurn(call);
    const span = this.#writer.begin(kind, subjectOf(subtype, request), parent);
    this.#open.open(keyOf(dir, message['request_id']), span);
    return parent ?? span;
  }

  answered(dir: Direction, message: Members): number | undefined {
    const { request_id: id, subtype, response } = membersOf(message['response']) ?? {};
    const span = this.#open.take(keyOf(OPPOSITE[dir], id));
    if (subtype === 'error') return this.#writer.endMatched(span, 'error', subtype);
    const behavior = membersOf(response)?.['behavior'];
    return this.#writer.endMatched(span, 'ok', isText(behavior) ? behavior : subtype);
  }

  withdrawn(dir: Direction, { request_id: id }: Members): number | undefined {
    return this.#writer.endMatched(this.#open.take(keyOf(dir, id)), 'cancelled', 'cancelled');
  }
}

/** The key includes the side, because each side chooses its own ids and both sides may use the same id. */
function keyOf(asker: Direction, id: unknown): string | undefined {
  return typeof id === 'string' ? `${asker} ${id}` : undefined;
}

function subjectOf(subtype: string, { tool_name: tool, input, message }: Members): string {
  const event = membersOf(input)?.['hook_event_name'];
  const method = membersOf(message)?.['method'];
  if (subtype === 'can_use_tool' && isText(tool)) return tool;
  if (subtype === 'hook_callback' && isText(event)) return event;
  if (subtype === 'mcp_message') return isText(method) ? method : 'answer';
  return subtype;
}
