import { object, optional } from './object-schema.ts';
import { type Infer, lazy, literal, number, oneOf, openEnum, string } from './schema.ts';
import { openUnion } from './union-schema.ts';

const nothingMore = lazy(() =>
  object({ kind: oneOf(['human', 'coordinator', 'unclassified', 'auto-continuation', 'observer-activity']) }),
);

/** Schema of `SDKMessageOrigin`. */
export const messageOrigin = lazy(() =>
  openUnion('kind', {
    human: nothingMore,
    coordinator: nothingMore,
    unclassified: nothingMore,
    'auto-continuation': nothingMore,
    'observer-activity': nothingMore,
    channel: object({ kind: literal('channel'), server: string }),
    peer: object({
      kind: literal('peer'),
      from: string,
      fromMode: optional(openEnum(['bypass', 'prompting'])),
      name: optional(string),
      fromSession: optional(string),
      senderTaskId: optional(string),
      body: optional(string),
      verifiedPeerPid: optional(number),
    }),
    'task-notification': object({
      kind: literal('task-notification'),
      subkind: optional(openEnum(['scheduled-trigger', 'peer-send-message', 'projects-relay', 'session-inbox'])),
      fireReason: optional(string),
      runId: optional(string),
    }),
    observer: object({ kind: literal('observer'), from: string, senderTaskId: string }),
  }),
);

/** Who a message came from. An unknown `kind` means: not a person. */
export type SDKMessageOrigin = Infer<typeof messageOrigin>;
