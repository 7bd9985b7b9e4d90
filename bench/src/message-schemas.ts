import { controlRequests } from '@proto/core/schemas/control/requests';
import { messagesFromAgent, messagesFromHost } from '@proto/core/schemas/messages';
import type { ZodMiniType } from 'zod/mini';
import type { Recorded } from './recordings.ts';

/** The members that identify the type of a message. */
export interface Message {
  readonly type: string;
  readonly subtype?: string;
  readonly isReplay?: boolean;
  readonly request?: { readonly subtype: string };
}

/** Returns the schema of a message, or for a request the schema of its body. */
export function schemaOf({ type, subtype, isReplay, request }: Message, direction: Recorded['direction']): ZodMiniType {
  if (request !== undefined) return controlRequests[request.subtype as keyof typeof controlRequests];
  const table: Readonly<Record<string, ZodMiniType>> =
    direction === 'from-agent' ? messagesFromAgent : messagesFromHost;
  const schema = (isReplay === true && table[`${type}/replay`]) || (table[`${type}/${subtype}`] ?? table[type]);
  if (schema === undefined) throw new Error(`no schema for ${type}`);
  return schema;
}
