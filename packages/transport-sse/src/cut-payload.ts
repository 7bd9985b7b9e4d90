const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

/** An envelope without its payload, and the payload as it came: it is parsed once, by whoever reads it. */
export interface CutEnvelope {
  readonly envelope: unknown;
  readonly payload: string;
}

/** Cuts the member `payload` out of a JSON object; undefined where there is none, or the rest is no JSON. Linear. */
export function cutPayload(json: string): CutEnvelope | undefined {
  let depth = 0;
  let key = '';
  let start = -1;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1 && start < 0) key = json.slice(at, end);
      at = end - 1;
    } else if (unit === 123 || unit === 91) depth++;
    else if (unit === 125 || unit === 93) {
      depth--;
      if (depth === 0 && start >= 0) return cut(json, start, at);
    } else if (depth !== 1) continue;
    else if (unit === COLON && key === '"payload"') start = at + 1;
    else if (unit === COMMA) {
      if (start >= 0) return cut(json, start, at);
      key = '';
    }
  }
  return undefined;
}

/** The place behind the closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}

function cut(json: string, start: number, end: number): CutEnvelope | undefined {
  try {
    const envelope: unknown = JSON.parse(`${json.slice(0, start)}null${json.slice(end)}`);
    return { envelope, payload: json.slice(start, end).trim() };
  } catch {
    return undefined;
  }
}
