const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * The member `payload` of each entry in the list `events` of a JSON object, as it was written; undefined for an entry that has none. The JSON
 * is known to be valid. Linear.
 */
export function payloadTexts(json: string): readonly (string | undefined)[] {
  let texts: (string | undefined)[] = [];
  let depth = 0;
  let key = '';
  let isList = false;
  let start = -1;
  let text: string | undefined;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (depth === 1 || depth === 3) key = json.slice(at, end);
        at = end - 1;
        break;
      }
      case COLON:
        // Of a member that is there twice the last one counts, as it does when it is parsed.
        if (depth === 1) isList = key === '"events"';
        else if (depth === 3 && isList && key === '"payload"') start = at + 1;
        break;
      case OPEN_LIST:
        if (++depth === 2 && isList) texts = [];
        break;
      case OPEN_OBJECT:
        depth++;
        break;
      case COMMA:
      case CLOSE_OBJECT:
      case CLOSE_LIST: {
        const isEnd = json.charCodeAt(at) !== COMMA;
        if (depth === 3 && start >= 0) {
          text = json.slice(start, at).trim();
          start = -1;
        } else if (depth === 2 && isList) {
          texts.push(text);
          text = undefined;
        }
        if (isEnd) depth--;
      }
    }
  }
  return texts;
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
