import { createSession, type RequestHandler, type Session, type SessionOptions } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { isRecord, Uuids } from '@proto/core/internal';
import { isWorker, type Transport } from '@proto/core/transport';
import type { AgentOptions } from './agent-options.ts';
import type { PermissionLink } from './permissions/permission-requests.ts';
import { isEphemeral, WorkerDuties } from './worker/worker-duties.ts';

/** The features of an agent use this connection to send messages, ask questions and serve requests. */
export class AgentWire {
  readonly options: AgentOptions;
  readonly sessionId: string;
  readonly session: Session;
  /** Undefined on a transport without a server for remote sessions. */
  readonly worker: WorkerDuties | undefined;
  readonly #uuids = new Uuids();
  readonly #handlers: Record<string, RequestHandler> = {};
  /**
   * The arrival number of each control request. A request such as `interrupt` applies only to messages that arrived before it, even if the request is
   * served later, when the queue has room for its answer.
   */
  readonly #arrivalOf = new WeakMap<object, number>();
  #arrivals = 0;
  #isSilent = false;

  constructor(transport: Transport, options: AgentOptions, callbacks: Pick<SessionOptions, 'onItem' | 'onResponse'>) {
    const { output: { stage } = {}, validate, onMessageType } = options;
    this.options = options;
    this.sessionId = options.session?.id ?? this.createId();
    const { send: emit, sessionId } = this;
    this.worker = isWorker(transport) ? new WorkerDuties(transport.worker, { emit, sessionId }) : undefined;
    this.session = createSession(transport, {
      handlers: this.#handlers,
      shouldServe: (request) => {
        this.worker?.reportServed(request);
        return true;
      },
      isEphemeral,
      outbound: { ...(stage !== undefined && { stage }) },
      ...(validate !== undefined && { validate }),
      onMessage: (message) => this.#arrived(message, onMessageType),
      ...callbacks,
    });
  }

  readonly createId = (): string => this.#uuids.next();

  /**
   * Sends a message with a `uuid` and the session id. A message of the conversation also gets the current time, and is assigned to the main thread if
   * it names no subagent. Fulfils when the queue has room.
   */
  readonly emit = (message: WireMessage): Promise<void> => {
    if (this.#isSilent) return Promise.resolve();
    const { uuid = this.createId(), session_id = this.sessionId } = message;
    const isDated = message.type === 'assistant' || message.type === 'user';
    const { timestamp = isDated ? new Date().toISOString() : undefined } = message;
    const { parent_tool_use_id = isDated || message.type === 'stream_event' ? null : undefined } = message;
    return this.session.emit({ ...message, parent_tool_use_id, uuid, session_id, timestamp });
  };

  /** Like `emit`, but does not wait for room in the queue. */
  readonly send = (message: WireMessage): void => void this.emit(message);

  readonly emitAsItIs = (message: WireMessage): Promise<void> =>
    this.#isSilent ? Promise.resolve() : this.session.emit(message);

  /** A later handler for the same subtype replaces an earlier one. */
  serve(handlers: Readonly<Record<string, RequestHandler>>): void {
    Object.assign(this.#handlers, handlers);
  }

  /** How many messages from the host have arrived, including the message that is arriving now. This is also the arrival number of that message. */
  get arrivals(): number {
    return this.#arrivals;
  }

  /** The number of the message in which a request arrived, or the latest number for a request from the agent itself. */
  arrivalOf(request: object): number {
    return this.#arrivalOf.get(request) ?? this.#arrivals;
  }

  #arrived({ type, request }: WireMessage, onMessageType: AgentOptions['onMessageType']): void {
    this.#arrivals++;
    if (type === 'control_request' && isRecord(request)) this.#arrivalOf.set(request, this.#arrivals);
    onMessageType?.({ type });
  }

  get requests(): PermissionLink {
    const { session } = this;
    const { pending, transport } = session;
    // On a transport where every message has an id, a frame needs an id too.
    const identified = (frame: WireMessage) => (transport.hasMessageIds ? { ...frame, uuid: this.createId() } : frame);
    const request: PermissionLink['request'] = session.request.bind(session);
    return { request, pending, outbound: { enqueue: (frame) => void session.emit(identified(frame)) } };
  }

  silence(): void {
    this.#isSilent = true;
  }
}
