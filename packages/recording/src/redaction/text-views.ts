/** A text as one of its readers sees it, and where each of its places is in the text itself. */
export interface TextView {
  readonly text: string;
  /** The place in the original text of a place in the view. `end` asks for the end of a span. */
  at(place: number, end?: boolean): number;
}

// A colour code, written out or escaped. It may stand within a secret.
const COLOUR = String.raw`(?:\x1b|(?<!\\)\\+(?:u001[bB]|x1[bB]|033|e))\[[\d;:?]{0,24}[A-Za-z]`;
const ESCAPE = new RegExp(
  String.raw`${COLOUR}|(?<!\\)\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbfv"'${'`'}/])|%[0-9a-fA-F]{2}|&(?:quot|amp|lt|gt|apos|#39|#34|#x27);`,
  'g',
);
// oxlint-disable-next-line no-control-regex -- colour codes begin with it
const HAS_ESCAPE = /[\\\u001B]|%[0-9a-fA-F]{2}|&(?:quot|amp|lt|gt|apos|#)/;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>' };

/**
 * The views of a text in which secrets are looked for: the text itself, and, if it has escapes, the text that these stand for. `\nAKIA...` has a
 * letter before the secret in the first view and a line feed in the second. Escapes of any depth (`\\\\n`), of JSON, URLs and HTML are taken back,
 * and colour codes are removed.
 */
export function viewsOf(text: string): readonly TextView[] {
  const raw: TextView = { text, at: (place) => place };
  return HAS_ESCAPE.test(text) ? [raw, decoded(text)] : [raw];
}

function decoded(text: string): TextView {
  const parts: string[] = [];
  // Where a stretch begins in the view, and in the text.
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
      // The last stretch that begins before the place; for an end, so that it takes in no escape that follows.
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
      // Within an escape, the span takes the escape as a whole.
      const isEscape = low % 2 === 1;
      if (isEscape) return end ? next : (places[low] ?? 0);
      return Math.min((places[low] ?? 0) + within, next);
    },
  };
}

/** What an escape stands for; nothing for a colour code. */
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
