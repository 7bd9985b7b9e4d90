import { createLineDecoder, type Line, type LineDecoderOptions } from '@proto/core/framing';

const LF = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = [91, 123];
const CLOSING = [93, 125];
const BLANKS = [9, 13, 32];

/** Cuts frames into lines. */
export interface FrameDecoder {
  /** The lines that are complete behind this frame. */
  push(frame: string | Uint8Array): readonly Line[];
}

/**
 * Frames hold one line or several, and the last one may lack its line end; some peers cut a line over several frames. Both are told
 * apart by the text: the beginning of a JSON object is never a whole one. So what a frame leaves over is a line when its brackets are
 * closed, or when it does not begin as an object, and is kept for the next frame otherwise. Linear for any cutting.
 */
export function createFrameDecoder(options: LineDecoderOptions): FrameDecoder {
  const decoder = createLineDecoder(options);
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let begun = false;

  /** Whether the line that has begun would be whole, were this its end. */
  function isWhole(frame: string | Uint8Array, from: number): boolean {
    const at = typeof frame === 'string' ? (i: number) => frame.charCodeAt(i) : (i: number) => frame[i] as number;
    for (let i = from; i < frame.length; i++) {
      const unit = at(i);
      if (quoted) {
        if (escaped) escaped = false;
        else if (unit === BACKSLASH) escaped = true;
        else if (unit === QUOTE) quoted = false;
      } else if (OPENING.includes(unit)) {
        depth++;
        begun = true;
      } else if (unit === QUOTE) quoted = begun;
      else if (CLOSING.includes(unit)) depth--;
      if (!begun && !BLANKS.includes(unit)) return true;
    }
    return begun && depth <= 0 && !quoted;
  }

  function reset(): void {
    depth = 0;
    quoted = escaped = begun = false;
  }

  return {
    push(frame) {
      const lines = decoder.push(frame);
      const lf = typeof frame === 'string' ? frame.lastIndexOf('\n') : frame.lastIndexOf(LF);
      if (lf >= 0) reset();
      if (lf === frame.length - 1 || !isWhole(frame, lf + 1)) return lines;
      reset();
      return [...lines, ...decoder.end()];
    },
  };
}
