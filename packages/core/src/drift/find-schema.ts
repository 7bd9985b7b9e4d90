import * as z from 'zod/mini';
import { type Direction, memberOf } from '../messages/find-kind.ts';
import { controlRequests, REQUESTS_OF_AGENTS } from '../schemas/control/requests.ts';
import { messagesFromAgent, messagesFromHost } from '../schemas/messages.ts';

type Table = Readonly<Record<string, z.ZodMiniType>>;

const TABLES: Readonly<Record<Direction, Table>> = { 'from-agent': messagesFromAgent, 'from-host': messagesFromHost };
const requests: Table = controlRequests;
const frames = new Map<string, z.ZodMiniType>();

/** Returns `undefined` for an unknown message. */
export function findSchema(message: object, direction: Direction): z.ZodMiniType | undefined {
  const type = String(memberOf(message, 'type'));
  if (type === 'control_request') return requestSchema(memberOf(memberOf(message, 'request'), 'subtype'), direction);
  const table = TABLES[direction];
  const replay = memberOf(message, 'isReplay');
  const second = replay === undefined || replay === false ? memberOf(message, 'subtype') : 'replay';
  const key = [`${type}/${String(second)}`, type].find((name) => Object.hasOwn(table, name));
  return key === undefined ? undefined : table[key];
}

function requestSchema(subtype: unknown, direction: Direction): z.ZodMiniType | undefined {
  const isKnown = typeof subtype === 'string' && Object.hasOwn(requests, subtype);
  const sender = isKnown ? (REQUESTS_OF_AGENTS[subtype] ?? 'from-host') : undefined;
  if (!isKnown || (sender !== 'both' && sender !== direction)) return frameOf(z.looseObject({ subtype: z.string() }));
  const frame = frames.get(subtype) ?? frameOf(requests[subtype]);
  frames.set(subtype, frame);
  return frame;
}

function frameOf(request: z.ZodMiniType = z.looseObject({})): z.ZodMiniType {
  return z.looseObject({ type: z.literal('control_request'), request_id: z.string(), request });
}
