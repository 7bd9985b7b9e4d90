import { parseJson } from '@proto/core/framing';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readLines } from './read-lines.ts';
import { writeStandIn } from './stand-in.ts';

// Longer orders would be copied once for each chunk in which they arrive.
const MAX_ORDER_BYTES = 256 * 1024;

/** What a host does to the agent that it has started. */
export type HostAct =
  | { readonly kind: 'start'; readonly argv: readonly string[] }
  | { readonly kind: 'input'; readonly bytes: Uint8Array }
  /** `lateMs` is the time between the event and its report. */
  | { readonly kind: 'end-of-input'; readonly lateMs: number }
  | { readonly kind: 'signal'; readonly signal: string; readonly lateMs: number }
  /** The order with this number and all earlier orders are done: the bytes are in the pipe to the host. */
  | { readonly kind: 'done'; readonly order: number }
  /** The process has ended, by itself or because of a signal that no process can handle. */
  | { readonly kind: 'gone' };

export interface StandInOrder {
  readonly output?: Uint8Array;
  /** Each part is a separate write. */
  readonly pieces?: readonly Uint8Array[];
  /** Milliseconds after each of the pieces. */
  readonly every?: number;
  readonly diagnostics?: Uint8Array;
  readonly reads?: boolean;
  readonly kill?: string;
  readonly exit?: number;
}

/** The private channel of one case: an executable file in a temporary folder, and the reports of the process that runs it. */
export class AgentChannel {
  readonly path: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #onAct: (act: HostAct) => void;
  #socket: Socket | undefined;
  #orders = 0;

  private constructor(folder: string, path: string, server: Server, onAct: (act: HostAct) => void) {
    this.#folder = folder;
    this.path = path;
    this.#server = server;
    this.#onAct = onAct;
    server.on('connection', (socket) => this.#join(socket));
  }

  /** `onAct` is called with each act of the host, in order. A second start of the agent is also an act. */
  static async open(onAct: (act: HostAct) => void): Promise<AgentChannel> {
    const folder = await mkdtemp(join(tmpdir(), 'sjp-host-'));
    const address = process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll(/\W/g, '-')}` : join(folder, 's');
    const server = createServer();
    server.listen(address);
    await once(server, 'listening');
    return new AgentChannel(folder, await writeStandIn(folder, address), server, onAct);
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** The stand-in carries out the order after all earlier orders. Returns the number that `done` reports. */
  send({ output, pieces, diagnostics, ...rest }: StandInOrder): number {
    if (output !== undefined && output.length > MAX_ORDER_BYTES) {
      this.send({ output: output.subarray(0, MAX_ORDER_BYTES) });
      return this.send({ ...rest, output: output.subarray(MAX_ORDER_BYTES) });
    }
    this.#orders += 1;
    this.#socket?.write(
      `${JSON.stringify({
        ...rest,
        ...(output && { output: base64(output) }),
        ...(pieces && { pieces: pieces.map(base64) }),
        ...(diagnostics && { diagnostics: base64(diagnostics) }),
        mark: this.#orders,
      })}\n`,
    );
    return this.#orders;
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #join(socket: Socket): void {
    const isFirst = this.#socket === undefined;
    if (isFirst) this.#socket = socket;
    socket.on('error', () => {});
    readLines(socket, (line) => {
      const report = reportOf(line);
      const act = report && actOf(report);
      // A second process does not take part in the case; only its start is reported.
      if (isFirst || act?.kind === 'start') this.#report(act);
    });
    socket.on('close', () => {
      if (isFirst) this.#report({ kind: 'gone' });
    });
  }

  #report(act: HostAct | undefined): void {
    if (act !== undefined) this.#onAct(act);
  }
}

interface Report {
  readonly argv?: readonly string[];
  readonly input?: string;
  readonly ended?: boolean;
  readonly signal?: string;
  readonly mark?: number;
  /** When the host acted, in milliseconds of `process.hrtime`. */
  readonly at?: number;
}

/** Returns `undefined` for an incomplete report, which a process leaves if it is killed while writing. */
function reportOf(line: string): Report | undefined {
  try {
    return parseJson(line) as Report;
  } catch {
    return undefined;
  }
}

function actOf({ argv, input, ended, signal, mark, at }: Report): HostAct | undefined {
  if (argv !== undefined) return { kind: 'start', argv };
  if (input !== undefined) return { kind: 'input', bytes: Buffer.from(input, 'base64') };
  if (ended) return { kind: 'end-of-input', lateMs: since(at) };
  if (signal !== undefined) return { kind: 'signal', signal, lateMs: since(at) };
  return mark === undefined ? undefined : { kind: 'done', order: mark };
}

/** `process.hrtime` is the same in all processes. */
function since(at: number | undefined): number {
  return at === undefined ? 0 : Math.max(0, Number(process.hrtime.bigint()) / 1e6 - at);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
