import * as z from 'zod/mini';
import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `JSONRPCMessage`. */
export const jsonRpcMessage = lazy(() =>
  object({
    jsonrpc: z.literal('2.0'),
    id: optional(z.nullable(z.union([z.string(), z.number()]))),
    method: optional(z.string()),
    params: optional(z.record(z.string(), z.unknown())),
    result: optional(z.record(z.string(), z.unknown())),
    error: optional(object({ code: z.number(), message: z.string(), data: optional(z.unknown()) })),
  }),
);

/**
 * A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a
 * notification with a result that has no id.
 */
export type JSONRPCMessage = Infer<typeof jsonRpcMessage>;
