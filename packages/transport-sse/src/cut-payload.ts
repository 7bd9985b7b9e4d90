import { JsonCursor } from '@proto/core/internal';

/** An envelope without its payload, and the payload as it came: it is parsed once, by whoever reads it. */
export interface CutEnvelope {
  readonly envelope: unknown;
  readonly payload: string;
}

/**
 * Cuts the member `payload` out of a JSON object. Undefined where the text is no JSON object, or has no payload, or has two of them, also in
 * different spellings: another reader of the same text might take the other one. Whether the payload itself is JSON is for its reader to
 * find. Linear.
 */
export function cutPayload(json: string): CutEnvelope | undefined {
  try {
    const found = payloadIn(new JsonCursor(json));
    if (found === undefined) return undefined;
    const { start, end } = found;
    const envelope: unknown = JSON.parse(`${json.slice(0, start)}null${json.slice(end)}`);
    return { envelope, payload: json.slice(start, end) };
  } catch {
    return undefined;
  }
}

/** Where the only payload of the object stands. */
function payloadIn(cursor: JsonCursor): { readonly start: number; readonly end: number } | undefined {
  if (!cursor.enterObject()) return undefined;
  let payload: { readonly start: number; readonly end: number } | undefined;
  for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
    let value = cursor.pass();
    while (value === undefined) value = cursor.pass();
    if (name !== 'payload') continue;
    if (payload !== undefined) return undefined;
    payload = value;
  }
  cursor.end();
  return payload;
}
