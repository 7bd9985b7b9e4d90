import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const jsonRpcMessage = openObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.nullable(z.union([z.string(), z.number()]))).check(z.describe('Ties an answer to its request; absent in a notification.')),
  method: z.optional(z.string()).check(z.describe('What a request asks or a notification tells; absent in an answer.')),
  params: z.optional(z.record(z.string(), z.unknown())),
  result: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Makes the message the answer to a request that succeeded.')),
  error: z
    .optional(openObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }))
    .check(z.describe('Makes the message the answer to a request that failed.')),
}).register(protocol, {
  id: 'JSONRPCMessage',
  description:
    'A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a notification with a result that has no id.',
});
