import { createLineDecoder } from '@proto/core/framing';
import {
  defineTransport,
  incomingLines,
  type Transport,
  type TransportControl,
  type TransportDriver,
  TransportError,
} from '@proto/core/transport';

import type { ByteWriter, ChaoticWriter } from './chaos.ts';

/** The medium of a fake: a stream of bytes in each direction. */
export interface FakeWire extends ByteWriter {
  /** The bytes that the peer writes. Ends when the peer ends its output. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Ends the output of the fake. */
  end(): Promise<void> | void;
  /** Called when the fake has ended on its own, like a process that exits. `exitCode` is 0, or another number after an error. */
  close(exitCode: number): void;
}

/** The writer adds chaos to the sent messages. */
export function transportOf(wire: FakeWire, writer: ChaoticWriter): Transport {
  return defineTransport('fake', (control) => {
    void receive(wire, control);
    control.opened();
    return {
      async write(batch) {
        for (const { text } of batch.messages()) await writer.write(`${text}\n`);
      },
      async end() {
        await writer.flush();
        await wire.end();
      },
      async close() {
        await writer.flush();
        await wire.end();
        control.closed();
      },
      abort() {
        wire.close(1);
        control.closed();
      },
    } satisfies TransportDriver;
  });
}

async function receive({ input }: FakeWire, control: TransportControl): Promise<void> {
  const decoder = createLineDecoder();
  try {
    for await (const chunk of input) control.receive(incomingLines(decoder.push(chunk)));
  } catch (cause) {
    control.closed(new TransportError('lost', 'fake: the peer closed the connection unexpectedly', { cause }));
    return;
  }
  control.receive(incomingLines(decoder.end()));
  control.ended();
}

export function createWirePair(): { readonly wire: FakeWire; readonly transport: Transport } {
  const input = new ChunkQueue();
  const decoder = createLineDecoder();
  let peer!: TransportControl;
  const leave = (error?: TransportError) => {
    input.end();
    peer.closed(error);
  };
  const breakOff = (how: string) => {
    peer.receive(incomingLines(decoder.end()));
    leave(new TransportError('lost', how));
  };
  const end = () => {
    peer.receive(incomingLines(decoder.end()));
    peer.ended();
  };
  const transport = defineTransport('fake', (control) => {
    peer = control;
    control.opened();
    return {
      write: ({ text }) => input.push(text),
      end: () => input.end(),
      close: () => leave(),
      abort: () => leave(),
    } satisfies TransportDriver;
  });
  const wire: FakeWire = {
    input,
    write: (bytes) => peer.receive(incomingLines(decoder.push(bytes))),
    end,
    close(exitCode) {
      if (exitCode !== 0) return breakOff(`the fake exited with code ${exitCode}`);
      end();
      leave();
    },
    die: () => breakOff('the fake has died'),
  };
  return { wire, transport };
}

class ChunkQueue implements AsyncIterable<string> {
  readonly #chunks: string[] = [];
  #isEnded = false;
  #wake: () => void = () => {};

  push(chunk: string): void {
    this.#chunks.push(chunk);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) yield chunk;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
