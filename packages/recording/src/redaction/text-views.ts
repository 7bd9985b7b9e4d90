/** Maps positions in a decoded text to positions in the original text. */
export interface TextView {
  readonly text: string;
  /** `end` means that the position is the end of a span. */
  at(place: number, end?: boolean): number;
}

// A colour code, literal or escaped. It may occur within a secret.
const COLOUR = String.raw`(?:\x1b|(?<!\\)\\+(?:u001[bB]|x1[bB]|033|e))\[[\d;:?]{0,24}[A-Za-z]`;
const ESCAPE = new RegExp(
  String.raw`${COLOUR}|(?<!\\)\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbfv"'${'`'}/])|%[0-9a-fA-F]{2}|&(?:quot|amp|lt|gt|apos|#39|#34|#x27);`,
  'g',
);
// oxlint-disable-next-line no-control-regex -- colour codes begin with ESC
const HAS_ESCAPE = /[\\\u001B]|%[0-9a-fA-F]{2}|&(?:quot|amp|lt|gt|apos|#)/;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>' };

/**
 * The views are the text itself and, if it contains escapes, the decoded text. In `\nAKIA...`, for example, a letter precedes the secret in the
 * original text, whereas a line feed precedes it in the decoded text. Decoding replaces escapes of any depth (`\\\\n`) from JSON, URLs and HTML, and
 * removes colour codes.
 */
export function viewsOf(text: string): readonly TextView[] {
  const raw: TextView = { text, at: (place) => place };
  return HAS_ESCAPE.test(text) ? [raw, decoded(text)] : [raw];
}

function decoded(text: string): TextView {
  const parts: string[] = [];
  // Where each run begins in the view and in the original text.
  const views = [0];
  const places = [0];
  let length = 0;
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const [escape] = match;
    const plain = meaning(escape);
    parts.push(text.slice(from, match.index), plain);
    length += match.index - from;
    views.push(length);
    places.push(match.index);
    length += plain.length;
    from = match.index + escape.length;
    views.push(length);
    places.push(from);
  }
  parts.push(text.slice(from));
  return {
    text: parts.join(''),
    at(place, end = false) {
      // The last run that begins before the position. For the end of a span, this excludes an escape that follows.
      let low = 0;
      let high = views.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        const begin = views[middle] ?? 0;
        if (end ? begin < place : begin <= place) low = middle;
        else high = middle;
      }
      const within = place - (views[low] ?? 0);
      const next = places[low + 1] ?? text.length;
      // If the position is within an escape, the span includes the whole escape.
      const isEscape = low % 2 === 1;
      if (isEscape) return end ? next : (places[low] ?? 0);
      return Math.min((places[low] ?? 0) + within, next);
    },
  };
}

/** Returns the character that an escape stands for, or an empty string for a colour code. */
function meaning(escape: string): string {
  if (escape.startsWith('%')) return ascii(Number.parseInt(escape.slice(1), 16));
  if (escape.startsWith('&')) return ENTITIES[escape.slice(1, -1)] ?? "'";
  if (/\[[^[]*[A-Za-z]$/.test(escape)) return '';
  const code = escape.replace(/^\\+/, '');
  if (/^[ux]..+/.test(code)) return ascii(Number.parseInt(code.slice(1), 16));
  return { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }[code] ?? code;
}

function ascii(code: number): string {
  return code < 128 ? String.fromCodePoint(code) : '?';
}
