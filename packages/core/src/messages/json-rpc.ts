import { object, optional } from './object-schema.ts';
import { type Infer, lazy, literal, nullable, number, record, string, unknown } from './schema.ts';
import { union } from './union-schema.ts';

/** Schema of `JSONRPCMessage`. */
export const jsonRpcMessage = lazy(() =>
  object({
    jsonrpc: literal('2.0'),
    id: optional(nullable(union([string, number]))),
    method: optional(string),
    params: optional(record(unknown)),
    result: optional(record(unknown)),
    error: optional(object({ code: number, message: string, data: optional(unknown) })),
  }),
);

/**
 * A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a
 * notification with a result that has no id.
 */
export type JSONRPCMessage = Infer<typeof jsonRpcMessage>;
