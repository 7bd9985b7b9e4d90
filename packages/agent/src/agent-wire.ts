import { createSession, type RequestHandler, type Session, type SessionOptions } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { createUuids } from '@proto/core/internal';
import type { Transport } from '@proto/core/transport';
import type { AgentOptions } from './agent-options.ts';
import type { PermissionLink } from './permissions/permission-requests.ts';
import { isEphemeral, WorkerDuties } from './worker/worker-duties.ts';

/** How an agent speaks with its host. All that a feature of the agent says, asks and serves goes through here. */
export class AgentWire {
  readonly options: AgentOptions;
  readonly sessionId: string;
  readonly session: Session;
  /** What those are told who follow the session from afar, where the transport has such a duty. */
  readonly worker: WorkerDuties | undefined;
  readonly #uuids = createUuids();
  readonly #handlers: Record<string, RequestHandler> = {};
  #isSilent = false;

  constructor(transport: Transport, options: AgentOptions, hears: Pick<SessionOptions, 'onItem' | 'onResponse'>) {
    const { outboundStage, validate, diagnostics } = options;
    this.options = options;
    this.sessionId = options.sessionId ?? this.createId();
    const { tell: emit, sessionId } = this;
    this.worker = transport.worker && new WorkerDuties(transport.worker, { emit, sessionId });
    this.session = createSession(transport, {
      handlers: this.#handlers,
      isNew: (request) => {
        this.worker?.reportServed(request);
        return true;
      },
      isEphemeral,
      outbound: { ...(outboundStage !== undefined && { stage: outboundStage }) },
      ...(validate !== undefined && { validate }),
      ...(diagnostics && { onMessage: ({ type }) => diagnostics({ type }) }),
      ...hears,
    });
  }

  readonly createId = (): string => this.#uuids.next();

  /** Says something of this session. Fulfils when the queue has room for more. */
  readonly emit = (message: WireMessage): Promise<void> => {
    if (this.#isSilent) return Promise.resolve();
    const { uuid = this.createId(), session_id = this.sessionId } = message;
    const isDated = message.type === 'assistant' || message.type === 'user';
    const { timestamp = isDated ? new Date().toISOString() : undefined } = message;
    return this.session.emit({ ...message, uuid, session_id, timestamp });
  };

  /** Says something of this session, and does not wait for room. */
  readonly tell = (message: WireMessage): void => void this.emit(message);

  /** Says something of the transcript: without an id and the session. */
  readonly emitAsItIs = (message: WireMessage): Promise<void> =>
    this.#isSilent ? Promise.resolve() : this.session.emit(message);

  /** Serves these requests of the host, by subtype, in the place of what served them before. */
  serve(handlers: Readonly<Record<string, RequestHandler>>): void {
    Object.assign(this.#handlers, handlers);
  }

  /** The requests of this agent that are open, and how a frame about one of them is sent. */
  get requests(): PermissionLink {
    const { pending, request, transport } = this.session;
    // Where all that travels goes under an id, that frame does too.
    const identified = (frame: WireMessage) => (transport.identifies ? { ...frame, uuid: this.createId() } : frame);
    return { pending, request, outbound: { enqueue: (frame) => void this.session.emit(identified(frame)) } };
  }

  /** Says nothing any more. */
  silence(): void {
    this.#isSilent = true;
  }
}
