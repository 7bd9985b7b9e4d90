/** Puts a value into a body. `list` is the member that the endpoint reads. */
export type Place = (value: string, list: string) => string;

const MESSAGE = '{"payload":{"type":"user"}}';

/** Places in the body of a request. */
export const BODY_PLACES = {
  body: (value) => value,
  'the list': (value, list) => `{EPOCH"${list}":${value}}`,
  'a member of the body': (value, list) => `{EPOCH"x":${value},"${list}":[${MESSAGE}]}`,
  'a member after the list': (value, list) => `{EPOCH"${list}":[${MESSAGE}],"x":${value}}`,
  'an entry': (value, list) => `{EPOCH"${list}":[${value}]}`,
  'a member of an entry': (value, list) => `{EPOCH"${list}":[{"x":${value},"payload":{"type":"user"}}]}`,
  'a payload': (value, list) => `{EPOCH"${list}":[{"payload":${value}}]}`,
  'a member of a payload': (value, list) => `{EPOCH"${list}":[{"payload":{"type":"user","x":${value}}}]}`,
  'a member of a bare message': (value, list) => `{EPOCH"${list}":[{"type":"user","x":${value}}]}`,
  'a type': (value, list) => `{EPOCH"${list}":[{"payload":{"type":${value}}}]}`,
  'a uuid': (value, list) => `{EPOCH"${list}":[{"payload":{"type":"user","uuid":${value}}}]}`,
  'an envelope': (value, list) => `{EPOCH"${list}":[{"payload":{"type":"user","ccr_event":${value}}}]}`,
  'a request': (value, list) =>
    `{EPOCH"${list}":[{"payload":{"type":"control_request","request_id":"r","request":${value}}}]}`,
  'an initialize': (value, list) =>
    `{EPOCH"${list}":[{"payload":{"type":"control_request","request_id":"i","request":{"subtype":"initialize","promptSuggestions":${value}}}}]}`,
  'an answer': (value, list) => `{EPOCH"${list}":[{"payload":{"type":"control_response","response":${value}}}]}`,
  'the input of an answer': (value, list) =>
    `{EPOCH"${list}":[{"payload":{"type":"control_response","response":{"subtype":"success","request_id":"open","response":{"behavior":"allow","updatedInput":${value}}}}}]}`,
  'the metadata': (value) => `{EPOCH"external_metadata":${value}}`,
  'a member of the metadata': (value) => `{EPOCH"external_metadata":{"x":${value}}}`,
  'a title': (value) => `{EPOCH"title":${value}}`,
  'an epoch': (value) => `{"worker_epoch":${value}}`,
} as const satisfies Record<string, Place>;

/** Places in the lines of a WebSocket. */
export const LINE_PLACES = {
  line: (value) => value,
  'a member of a line': (value) => `{"type":"user","x":${value}}`,
  'a type in a line': (value) => `{"type":${value}}`,
  'a uuid in a line': (value) => `{"type":"user","uuid":${value}}`,
  'a request in a line': (value) => `{"type":"control_request","request_id":"r","request":${value}}`,
  'an answer in a line': (value) => `{"type":"control_response","response":${value}}`,
  'a numbered line': (value) => `{"id":1,"data":${value}}`,
  'a member of a numbered line': (value) => `{"id":1,"data":{"type":"user","x":${value}}}`,
  'the source of a numbered line': (value) => `{"id":1,"source":${value},"data":{"type":"user"}}`,
  'a member next to the number': (value) => `{"id":1,"x":${value},"data":{"type":"user"}}`,
  'a greeting': (value) => `{"ack":0,"stream":${value}}`,
  'a credential': (value) => `{"type":"auth","credential":{"type":"oauth","token":${value}}}`,
} as const satisfies Record<string, Place>;
