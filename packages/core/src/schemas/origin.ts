import * as z from 'zod/mini';
import { openEnum, openUnion } from './open.ts';

const nothingMore = z.looseObject({
  kind: z.enum(['human', 'coordinator', 'unclassified', 'auto-continuation', 'observer-activity']),
});

export const messageOrigin = openUnion(
  'kind',
  [
    nothingMore,
    z.looseObject({ kind: z.literal('channel'), server: z.string() }),
    z.looseObject({
      kind: z.literal('peer'),
      from: z.string(),
      fromMode: z.optional(openEnum(['bypass', 'prompting'])),
      name: z.optional(z.string()),
      fromSession: z.optional(z.string()),
      senderTaskId: z.optional(z.string()),
      body: z.optional(z.string()),
      verifiedPeerPid: z.optional(z.number()),
    }),
    z.looseObject({
      kind: z.literal('task-notification'),
      subkind: z.optional(
        openEnum(['scheduled-trigger', 'peer-send-message', 'projects-relay', 'session-inbox', 'external-event']),
      ),
      fireReason: z.optional(z.string()),
      runId: z.optional(z.string()),
    }),
    z.looseObject({ kind: z.literal('observer'), from: z.string(), senderTaskId: z.string() }),
  ],
  { id: 'SDKMessageOrigin', description: 'Who a message came from. An unknown `kind` means: not a person.' },
);
