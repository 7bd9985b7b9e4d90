/** Stands in the place of a line that was above the limit and was dropped as it came. */
export interface TooLargeLine {
  readonly kind: 'too-large';
  /** Size of the whole line, without its LF. */
  readonly bytes: number;
  readonly limit: number;
  /** The beginning of the line: at most 256 characters. */
  readonly head: string;
  /** What happened and what to do about it. Holds nothing of the line. */
  readonly message: string;
}

export function tooLargeLine(bytes: number, limit: number, head: string): TooLargeLine {
  const message = `a line of ${bytes} bytes was dropped: the limit is ${limit} bytes; raise maxLineBytes to receive it`;
  return { kind: 'too-large', bytes, limit, head, message };
}

/** How much of a line its head shows. A UTF-16 unit has at most 3 bytes, so any line above the limit is that long. */
export function headLength(limit: number): number {
  return Math.min(256, Math.floor(limit / 3));
}

/** The first `length` units of a text, less a character cut in two, as a copy: a slice would keep the whole text in memory. */
export function headOf(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length));
  if (/^[\ud800-\udbff]$/.test(characters.at(-1) ?? '')) characters.pop();
  return characters.join('');
}
