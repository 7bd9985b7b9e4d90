import { parseJson } from '@proto/core/framing';
import { JsonCursor } from '@proto/core/network';

export interface CutEnvelope {
  readonly envelope: unknown;
  readonly payload: string;
}

/**
 * Cuts the member `payload` out of a JSON object, in linear time. Returns `undefined` if the text is not a JSON object, or if the object has no
 * payload. Also returns `undefined` for two payloads, in any spelling (`\u0070ayload`), because another reader of the same text might use the other
 * payload. The payload itself is not parsed here.
 */
export function cutPayload(json: string): CutEnvelope | undefined {
  try {
    const found = onlyPayloadIn(new JsonCursor(json));
    if (found === undefined) return undefined;
    const { start, end } = found;
    const envelope: unknown = parseJson(`${json.slice(0, start)}null${json.slice(end)}`);
    return { envelope, payload: json.slice(start, end) };
  } catch {
    return undefined;
  }
}

function onlyPayloadIn(cursor: JsonCursor): { readonly start: number; readonly end: number } | undefined {
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
