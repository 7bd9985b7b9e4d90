import type { LineDecoder } from '@proto/core/framing';

/** Gives bytes as the text they are, piece by piece as they come; a character that is cut waits for its end. */
export function createPieceDecoder(): Pick<LineDecoder, 'push' | 'end'> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieceOf = (text: string) => (text === '' ? [] : [text]);
  return {
    push: (chunk) => pieceOf(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    end: () => pieceOf(decoder.decode()),
  };
}
