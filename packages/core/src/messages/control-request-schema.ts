import * as z from 'zod/mini';

import { controlRequests } from './control/requests.ts';
import type { SDKControlRequest } from './control-frames.ts';
import type { Direction } from './direction.ts';
import { lazy, object, type SchemaOf } from './schema.ts';

/**
 * The schemas of the control requests of one side, by `control_request/subtype`. The schema of all requests does the same as
 * these, but building it at the first request costs milliseconds.
 */
export function controlRequestSchemas(direction: Direction): [string, () => SchemaOf<SDKControlRequest>][] {
  return Object.entries(controlRequests)
    .filter(([, known]) => known.direction === 'both' || known.direction === direction)
    .map(([subtype, { request }]) => [`control_request/${subtype}`, lazy(() => withBody(request()))]);
}

/** Schema of a control request of any subtype: what must be there to answer it. */
export const anyControlRequest: () => SchemaOf<SDKControlRequest> = lazy(() =>
  withBody(object({ subtype: z.string() })),
);

function withBody(body: z.ZodMiniType): SchemaOf<SDKControlRequest> {
  return object({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: body,
  }) as unknown as SchemaOf<SDKControlRequest>;
}
