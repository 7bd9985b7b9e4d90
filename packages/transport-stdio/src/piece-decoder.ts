import type { LineDecoder } from '@proto/core/framing';

/**
 * For a peer that does not speak in lines: bytes as the text they are, piece by piece as they come; a character that is cut waits for its
 * end. `read()` of such an item fails. For `createDecoder` of a stdio transport.
 */
export function createPieceDecoder(): Pick<LineDecoder, 'push' | 'end'> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieceOf = (text: string) => (text === '' ? [] : [text]);
  return {
    push: (chunk) => pieceOf(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })),
    end: () => pieceOf(decoder.decode()),
  };
}
