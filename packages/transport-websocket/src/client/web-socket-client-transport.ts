import { type AttemptReason, createReconnector, type Reconnector } from '@proto/core/reconnect';
import { refuseCredentials, type RequestSecrets, withoutSecrets } from '@proto/core/network';
import {
  defineTransport,
  type ResumableTransport,
  type ReplayableTransport,
  type TransportControl,
  TransportError,
} from '@proto/core/transport';
import { CodecDetection } from '../codec/codec-detection.ts';
import { type AttachOptions, SocketConnection } from '../socket-connection.ts';
import { lostError } from '../socket/link-errors.ts';
import type { LinkEnd } from '../socket/socket-link.ts';
import { RESUMABLE_PROTOCOL, type SocketLike } from '../socket/socket.ts';
import { meaningOf } from './close-codes.ts';
import { type AttemptRequest, openWebSocket, type WebSocketClientOptions, requestOf } from './socket-request.ts';

/**
 * Creates a client that reconnects. After a reconnect, the client resends messages that the other side has not received, and drops messages that it
 * has already received.
 */
export function createWebSocketClientTransport(
  options: WebSocketClientOptions,
): ResumableTransport & ReplayableTransport {
  const connect = (control: TransportControl) => new ReconnectingClient(control, options).connection.driver;
  return defineTransport('websocket', connect, { ...options, hasMessageIds: true });
}

class ReconnectingClient {
  readonly connection: SocketConnection;
  readonly #options: WebSocketClientOptions;
  readonly #reconnector: Reconnector;
  /** Whether no subprotocol is offered, because the server does not know `sjp.v1` or, if the value is `maybe`, may not know it. */
  #isPlain: boolean | 'maybe' = false;
  #isResumable = false;
  #socket: SocketLike | undefined;
  /** Errors must not quote the address, token and headers of the last attempt. */
  #secrets: RequestSecrets = {};

  constructor(control: TransportControl, options: WebSocketClientOptions) {
    const { url, headers, credential } = options;
    this.#options = options;
    this.#reconnector = createReconnector(control, {
      ...options,
      name: 'websocket',
      canRenew: [url, headers, credential].some((given) => typeof given === 'function'),
      connect: (reason, signal) => this.#connect(reason, signal),
      onGiveUp: (error) => this.connection.driver.release(error),
    });
    const onDown = (end: LinkEnd, wasUp: boolean) => this.#onDown(end, wasUp);
    const events = { ...this.#reconnector.events, onDown };
    this.connection = new SocketConnection(control, events, { ...options, retains: true });
    this.#reconnector.dial();
  }

  #onDown(end: LinkEnd, wasUp: boolean): void {
    if (this.#isPlain === false && !wasUp && (this.#isPlain = this.#isUnchosen(end)) !== false)
      return this.#reconnector.dial();
    // The server may just have been down, so the next attempt offers `sjp.v1` again. After a server has shown that it does not know `sjp.v1`, the
    // client does not offer it again as long as plain lines work.
    if (!wasUp || this.#isPlain === 'maybe') this.#isPlain = false;
    const meaning = meaningOf(end);
    if (wasUp && meaning.action === 'end') return this.connection.driver.release(undefined, end.code);
    const error = lostError(end, wasUp, meaning.hint, this.#secrets);
    this.#reconnector.down(error, { ...meaning, isAnswer: end.status !== undefined, retryAfterMs: end.retryAfterMs });
  }

  #onDetected(codec: 'plain' | 'resumable'): void {
    if (codec === 'plain') this.#isPlain = true;
    else this.#isResumable = true;
  }

  /** Whether the attempt failed because the server chose none of the subprotocols. In this case the client's socket closes the link. */
  #isUnchosen({ silent, cause }: LinkEnd): boolean | 'maybe' {
    const socket = this.#socket;
    if (socket?.protocol !== '' || silent || this.#options.protocols !== undefined) return false;
    // Browsers do not report the reason. `ws` reports it only in the text of its error.
    if (socket.on === undefined) return !this.#isResumable && 'maybe';
    return cause instanceof Error && cause.message.includes('no subprotocol');
  }

  async #connect(reason: AttemptReason, signal: AbortSignal): Promise<void> {
    this.#socket = undefined;
    const onAbort = () => {
      // When the connection is released, it drops its link itself.
      if (this.connection.driver.isReleased) return;
      this.connection.detach();
      this.#isPlain = false;
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const protocols = this.#isPlain === false ? [RESUMABLE_PROTOCOL] : [];
    const { greeting } = this.connection;
    const asked = await requestOf(this.#options, { reason, protocols, greeting });
    if (!signal.aborted) this.#open(asked);
  }

  #open({ request, firstFrame }: AttemptRequest): void {
    const { open = openWebSocket } = this.#options;
    const { url, headers, protocols } = request;
    this.#secrets = { url, headers, others: [firstFrame, ...protocols] };
    try {
      refuseCredentials(url);
      this.#socket = open(request);
    } catch (cause) {
      // Not retryable, because an address that is not a URL, for example, stays invalid.
      const safeCause = withoutSecrets(cause, this.#secrets);
      const text = `websocket: ${safeCause.message || 'no socket'}`;
      throw new TransportError('connect-failed', text, { cause: safeCause, retryable: false });
    }
    this.connection.attach(this.#socket, { firstFrame, detectCodec: this.#detection(firstFrame) });
  }

  #detection(firstFrame: string | undefined): AttachOptions['detectCodec'] {
    // A subprotocol that the caller has named is required.
    if (this.#options.protocols !== undefined) return undefined;
    // Servers that read the token from the first frame know `sjp.v1`, and may need time to check the token.
    const mayPresume = !this.#isResumable && this.#options.cursor === undefined && firstFrame === undefined;
    const onDetected = (codec: 'plain' | 'resumable') => this.#onDetected(codec);
    return (link, carried, codecs) => new CodecDetection(link, carried, { ...codecs, mayPresume, onDetected });
  }
}
