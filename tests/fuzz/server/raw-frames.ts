/** The opcodes of WebSocket frames. */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The options of a frame. */
export interface FrameOptions {
  readonly opcode?: number;
  /** False for a message that continues in the next frame. */
  readonly isLast?: boolean;
}

/** Returns the head of a client's frame. The mask is 0, so that the payload is sent unchanged. */
export function frameHead(length: number, { opcode = OPCODES.text, isLast = true }: FrameOptions = {}): Buffer {
  const first = (isLast ? 0x80 : 0) | opcode;
  if (length < 126) return Buffer.from([first, 0x80 | length, 0, 0, 0, 0]);
  if (length < 65_536) {
    const head = Buffer.alloc(8);
    head[0] = first;
    head[1] = 0x80 | 126;
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(14);
  head[0] = first;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Returns a complete frame of a client. */
export function frameOf(payload: Buffer, options: FrameOptions = {}): Buffer {
  return Buffer.concat([frameHead(payload.length, options), payload]);
}

/** Parses the frames of a server, each of which is a complete message without a mask. */
export class FrameReader {
  readonly #onFrame: (opcode: number, payload: Buffer) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  #needed = 2;

  constructor(onFrame: (opcode: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#needed) return;
    let rest = Buffer.concat(this.#chunks);
    for (;;) {
      const size = sizeOf(rest);
      if (size === undefined || rest.length < size.head + size.length) {
        this.#needed = size === undefined ? rest.length + 1 : size.head + size.length;
        break;
      }
      this.#onFrame((rest[0] ?? 0) & 0x0f, rest.subarray(size.head, size.head + size.length));
      rest = rest.subarray(size.head + size.length);
    }
    this.#chunks = [rest];
    this.#held = rest.length;
  }
}

/** Returns the size of the first frame. Undefined if the head of the frame is not complete. */
function sizeOf(bytes: Buffer): { readonly head: number; readonly length: number } | undefined {
  const [, second = 0] = bytes;
  if (bytes.length < 2) return undefined;
  const short = second & 0x7f;
  if (short < 126) return { head: 2, length: short };
  if (short === 126) return bytes.length < 4 ? undefined : { head: 4, length: bytes.readUInt16BE(2) };
  return bytes.length < 10 ? undefined : { head: 10, length: Number(bytes.readBigUInt64BE(2)) };
}
