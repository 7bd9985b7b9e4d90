import * as z from 'zod/mini';

import { type Infer, lazy, object, openEnum, openUnion, optional } from './schema.ts';

/** Schema of `SDKMessageOrigin`. */
export const messageOrigin = lazy(() =>
  openUnion('kind', [
    object({
      kind: z.enum(['human', 'coordinator', 'unclassified', 'auto-continuation', 'observer-activity']),
    }),
    object({ kind: z.literal('channel'), server: z.string() }),
    object({
      kind: z.literal('peer'),
      from: z.string(),
      fromMode: optional(openEnum(['bypass', 'prompting'])),
      name: optional(z.string()),
      fromSession: optional(z.string()),
      senderTaskId: optional(z.string()),
      body: optional(z.string()),
      verifiedPeerPid: optional(z.number()),
    }),
    object({
      kind: z.literal('task-notification'),
      subkind: optional(openEnum(['scheduled-trigger', 'peer-send-message', 'projects-relay', 'session-inbox'])),
      fireReason: optional(z.string()),
      runId: optional(z.string()),
    }),
    object({ kind: z.literal('observer'), from: z.string(), senderTaskId: z.string() }),
  ]),
);

/** Who a message came from. An unknown `kind` means: not a person. */
export type SDKMessageOrigin = Infer<typeof messageOrigin>;
