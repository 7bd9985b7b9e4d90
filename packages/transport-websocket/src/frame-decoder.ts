import { createLineDecoder, type Line, type LineDecoderOptions } from '@proto/core/framing';

const BLANK = 32;
const QUOTE = 34;
const BACKSLASH = 92;
// Each closes with the second one behind it.
const BRACKET = 91;
const BRACE = 123;

/** Lines of one frame: 100 000. A server may allow fewer. */
export const DEFAULT_MAX_FRAME_LINES = 100_000;

/** How frames are cut into lines. */
export interface FrameDecoderOptions extends LineDecoderOptions {
  /** How many lines a frame may have. Default `DEFAULT_MAX_FRAME_LINES`. */
  readonly maxFrameLines?: number | undefined;
}

/** Cuts frames into lines. */
export interface FrameDecoder {
  /** The lines that are complete behind this frame; undefined for a frame with too many of them, which is not cut. */
  push(frame: string | ArrayBuffer | Uint8Array): readonly Line[] | undefined;
}

/**
 * Frames hold one line or several, and the last one may lack its line end; some peers cut a line over several frames. Both are told
 * apart by the text: the beginning of a JSON object is never a whole one. So what a frame leaves over is a line when its brackets are
 * closed, or when it does not begin as an object, and is kept for the next frame otherwise. Linear for any cutting.
 */
export function createFrameDecoder(options: FrameDecoderOptions): FrameDecoder {
  const { maxFrameLines = DEFAULT_MAX_FRAME_LINES } = options;
  const decoder = createLineDecoder(options);
  let utf8: InstanceType<typeof TextDecoder> | undefined;
  // Of the line that is not whole yet.
  let depth = 0;
  let quoted = false;
  let escaped = false;

  /** Whether the line would be whole, were this its end. */
  function isWhole(text: string, from: number): boolean {
    let closed = false;
    // What is kept for the next frame would be written at each unit, which takes three times as long.
    let open = depth;
    let at = from;
    if (quoted || escaped) at = skipString(text, at) + 1;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE && open > 0) {
        quoted = true;
        at = skipString(text, at + 1);
      } else if (unit === BRACKET || unit === BRACE) open++;
      else if (open === 0) {
        if (unit <= BLANK) continue;
        depth = 0;
        return true;
      } else if (unit === BRACKET + 2 || unit === BRACE + 2) closed = --open === 0;
    }
    depth = open;
    return closed && open === 0;
  }

  /** The end of a string, or of what is here of it. By `indexOf`: to look at each unit takes longer than to parse the line. */
  function skipString(text: string, from: number): number {
    let start = escaped ? from + 1 : from;
    if (start > text.length) return text.length;
    escaped = false;
    for (;;) {
      const quote = text.indexOf('"', start);
      const end = quote < 0 ? text.length : quote;
      let slash = end;
      while (slash > start && text.charCodeAt(slash - 1) === BACKSLASH) slash--;
      const isEscaped = (end - slash) % 2 === 1;
      if (quote >= 0 && isEscaped) {
        start = quote + 1;
        continue;
      }
      quoted = quote < 0;
      escaped = quote < 0 && isEscaped;
      return end;
    }
  }

  return {
    push(frame) {
      const text = typeof frame === 'string' ? frame : (utf8 ??= new TextDecoder()).decode(frame, { stream: true });
      if (hasMoreLines(text, maxFrameLines)) return undefined;
      const lf = text.lastIndexOf('\n');
      if (lf >= 0) {
        depth = 0;
        quoted = escaped = false;
      }
      if (lf === text.length - 1 || !isWhole(text, lf + 1)) return decoder.push(text);
      // With its line end at once: a rest would be measured first, which takes longer than all of this.
      return decoder.push(`${text}\n`);
    },
  };
}

/** Whether a text has more line ends than this. Looks no further than it has to: a frame of line ends alone would take a second to cut. */
function hasMoreLines(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++count > most) return true;
  return false;
}
