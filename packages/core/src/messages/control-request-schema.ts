import { controlRequests } from './control/requests.ts';
import type { SDKControlRequest } from './control-frames.ts';
import type { Direction } from './direction.ts';
import { object } from './object-schema.ts';
import { lazy, type LazySchema, literal, type SchemaOf, string } from './schema.ts';

/** The schemas of the control requests of one side, by `control_request/subtype`. */
export function controlRequestSchemas(direction: Direction): [string, LazySchema<SchemaOf<SDKControlRequest>>][] {
  return Object.entries(controlRequests)
    .filter(([, known]) => known.direction === 'both' || known.direction === direction)
    .map(([subtype, { request }]) => [`control_request/${subtype}`, lazy(() => withBody(request))]);
}

/** Schema of a control request of any subtype: what must be there to answer it. */
export const anyControlRequest: LazySchema<SchemaOf<SDKControlRequest>> = lazy(() =>
  withBody(object({ subtype: string })),
);

function withBody(body: LazySchema): LazySchema<SchemaOf<SDKControlRequest>> {
  return object({
    type: literal('control_request'),
    request_id: string,
    request: body,
  }) as unknown as LazySchema<SchemaOf<SDKControlRequest>>;
}
