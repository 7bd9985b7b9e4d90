// A transport over TCP, for both ends: it reconnects, sends again what the other end has not received, and notices a silent link.
// docs/write-a-transport.md explains it; contract.test.mjs shows that it keeps the transport contract.
import { connect } from 'node:net';
import { createLineDecoder, parseJson } from '@proto/core/framing';
import { askFor, parseAddress, setTimer, startHeartbeat } from '@proto/core/network';
import { createConnection, createReconnector } from '@proto/core/reconnect';
import { defineTransport, incomingLines, incomingMessage, TransportError } from '@proto/core/transport';

/** Creates the end that connects. `url` is `tcp://HOST:PORT`, or a function that is called for each attempt. */
export function createTcpClientTransport(options) {
  const dial = async (attach, reason, signal) => {
    const { hostname, port } = parseAddress(await askFor(options.url, reason), ['tcp:']);
    if (!signal.aborted) attach(connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port), signal }));
  };
  return defineTransport('tcp', (control) => createEnd(control, options, dial).connection, options);
}

/** Creates the end of a server for one session. Pass the sockets of its client to `accept`, one after the other. */
export function createTcpServerTransport({ reconnectWindowMs: ms = 600_000, ...rest } = {}) {
  // A server makes no attempts: it waits for its client, for as long as a client would try.
  const options = { ...rest, connectTimeoutMs: ms, connectDeadlineMs: ms, reconnectDeadlineMs: ms };
  let end;
  const create = (control) => (end = createEnd(control, options, () => {})).connection;
  const accept = (socket) => (end.connection.isReleased ? refuseClient(socket) : end.attach(socket));
  return Object.assign(defineTransport('tcp', create, options), { accept });
}

/** Refuses a client permanently, such as a client whose session does not exist. */
export function refuseClient(socket) {
  socket.on('error', () => {}).resume();
  socket.end('{"refused":true}\n');
}

/** The reconnector decides when to dial, the connection keeps the messages, and a link carries them over one socket. */
function createEnd(control, options, dial) {
  const attach = (socket) => {
    const link = new TcpLink(socket, connection, options);
    connection.attach(link, link);
  };
  const reconnector = createReconnector(control, {
    ...options,
    name: 'tcp',
    connect: (reason, signal) => dial(attach, reason, signal),
    onGiveUp: (error) => connection.release(error),
  });
  const connection = createConnection(control, reconnector.events, options);
  const late = new TransportError('timeout', 'tcp: the other end has taken nothing for too long');
  connection.closing = () => setTimer(() => connection.release(late), options.maxClosingMs ?? Infinity).unref();
  reconnector.dial();
  return { connection, attach };
}

/** One socket. Each line is a message after its number, `17 {"type":…}`, or a frame of the transport, such as `{"ack":17}`. */
class TcpLink {
  isAcknowledged = true;
  #socket;
  #connection;
  #heartbeat;
  #beats;

  constructor(socket, connection, options) {
    this.#socket = socket;
    this.#connection = connection;
    const decoder = createLineDecoder(options);
    const silent = new TransportError('timeout', 'tcp: nothing has arrived for too long');
    this.#beats = { onBeat: () => this.#acknowledge(), onSilence: () => socket.destroy(silent), countsSilence: true };
    this.#heartbeat = startHeartbeat(this.#beats, options);
    let error;
    socket.on('data', (chunk) => this.#onLines(decoder.push(chunk)));
    socket.on('error', (cause) => (error = cause));
    socket.on('close', () => {
      this.#heartbeat.stop();
      connection.onEnd(this, error);
    });
  }

  get bufferedBytes() {
    return this.#socket.writableLength;
  }

  pause() {
    this.#socket.pause();
    this.#beats.countsSilence = false;
  }

  resume() {
    this.#socket.resume();
    this.#beats.countsSilence = true;
    this.#heartbeat.onReceived();
  }

  close() {
    this.#socket.end('{"bye":true}\n');
  }

  drop() {
    this.#socket.destroy();
  }

  /** Sends the greeting, which waits in the socket until the socket is connected. */
  start() {
    this.#socket.write(`${JSON.stringify(this.#connection.greeting)}\n`);
  }

  send({ first, batch }) {
    this.#socket.write(Array.from(batch.messages(), ({ text }, at) => `${first + at} ${text}\n`).join(''));
  }

  sendEnd() {
    this.#socket.write(`{"end":${this.#connection.streams.ownEnd}}\n`);
  }

  #acknowledge() {
    this.#socket.write(`{"ack":${this.#connection.streams.received}}\n`);
  }

  #onLines(lines) {
    this.#heartbeat.onReceived();
    const { streams } = this.#connection;
    const { received } = streams;
    const items = [];
    try {
      for (const line of lines) items.push(...this.#read(line));
    } catch (error) {
      const unreadable = new TransportError('lost', 'tcp: the other end sent a line that cannot be read');
      this.#socket.destroy(TransportError.is(error) ? error : unreadable);
    }
    this.#connection.onItems(items);
    if (streams.isPeerDone) this.#connection.onPeerEnd();
    if (streams.received > received) this.#acknowledge();
  }

  /** Returns the items of a line. A line that is too long counts as received, because it would be too long again if it were sent again. */
  #read(line) {
    const [, id, text] = /^(\d{1,15}) (.*)$/s.exec(line.head ?? line) ?? [];
    if (id !== undefined && !this.#connection.streams.isNew(Number(id))) return [];
    if (typeof line !== 'string') return incomingLines([line]);
    if (id !== undefined) return [incomingMessage(text, this.#connection.streams.placeOf(Number(id)))];
    const frame = parseJson(line);
    if (frame.event !== undefined) return [{ kind: 'notice', event: frame.event, data: frame.data }];
    if (frame.refused) throw new TransportError('rejected', 'tcp: the server refuses this client');
    if (frame.bye) this.#connection.release();
    else if (frame.stream !== undefined) this.#connection.onGreeting(frame);
    else if (frame.end !== undefined) this.#connection.streams.onPeerEnd(frame.end);
    else this.#connection.onAcknowledged(frame.ack);
    return [];
  }
}
