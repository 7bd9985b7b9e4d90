import { frameHead, frameOf, OPCODES } from '../server/raw-frames.ts';

/** How a text is cut: into chunks of a request, or into frames of a WebSocket. */
export const CUTS = [
  'whole',
  'pieces of 64 KiB',
  'pieces of 1 KiB',
  'pieces of 16 bytes',
  'fragments',
  'lines',
] as const;
export type Cut = (typeof CUTS)[number];

/** Each piece has a fixed cost, so texts in small pieces have fewer bytes. */
export const MOST_BYTES_OF_CUT: Readonly<Partial<Record<Cut, number>>> = {
  'pieces of 1 KiB': 16 * 1024 * 1024,
  'pieces of 16 bytes': 1024 * 1024,
  lines: 8 * 1024 * 1024,
};

const SIZES: Readonly<Partial<Record<Cut, number>>> = {
  'pieces of 64 KiB': 65_536,
  'pieces of 1 KiB': 1024,
  'pieces of 16 bytes': 16,
  fragments: 4096,
};

/** Returns the pieces of a body. */
export function piecesOf(bytes: Buffer, cut: Cut): readonly Buffer[] {
  const size = SIZES[cut];
  if (size === undefined) return [bytes];
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

/** Returns the frames of a text, ready to be written, with many small frames in one write. */
export function framesOf(text: string, cut: Cut): readonly Buffer[] {
  const bytes = Buffer.from(text);
  if (cut === 'whole') return [frameHead(bytes.length), bytes];
  if (cut === 'lines') {
    return together(text.split('\n').map((line) => frameOf(Buffer.from(`${line}\n`))));
  }
  const pieces = piecesOf(bytes, cut);
  return together(
    pieces.map((piece, index) =>
      cut === 'fragments'
        ? frameOf(piece, {
            opcode: index === 0 ? OPCODES.text : OPCODES.continuation,
            isLast: index === pieces.length - 1,
          })
        : // A cut may split a character, which is not allowed within a text frame.
          frameOf(piece, { opcode: OPCODES.binary }),
    ),
  );
}

const FRAMES_OF_A_WRITE = 256;

function together(frames: readonly Buffer[]): readonly Buffer[] {
  const count = Math.ceil(frames.length / FRAMES_OF_A_WRITE);
  return Array.from({ length: count }, (_, n) =>
    Buffer.concat(frames.slice(n * FRAMES_OF_A_WRITE, (n + 1) * FRAMES_OF_A_WRITE)),
  );
}
