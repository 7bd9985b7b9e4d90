import { parseLine } from '@proto/core/framing';
import { type Outgoing, requestIdOf, type WorkerLink } from '@proto/core/internal';
import {
  type Batch,
  defineTransport,
  type Incoming,
  incomingMessage,
  type IncomingMessage,
  isWorker,
  type Transport,
  type TransportControl,
} from '@proto/core/transport';
import { batchOfTexts, type Frame, memberOf, OpenQuestions, outgoing, type Side } from './mirror-messages.ts';
import { RemoteHost, type RemoteHostOptions } from './remote-host.ts';

/** `onGone` is called with the reason when the remote host has disconnected. The session then continues. */
export interface MirrorOptions extends RemoteHostOptions {
  /** The session ends when this host ends. */
  readonly local: Transport;
  /** This host may send prompts, and may disconnect. The caller must close its transport. */
  readonly remote: Transport;
  /** Whether the agent echoes prompts itself. */
  readonly replays: boolean;
}

/**
 * Each host receives the agent's messages, the prompts of the other host, and the permission requests. The first answer to a request is used. The
 * request is then cancelled at the host that has not answered. If that host has already sent an answer too, its answer is dropped. Each host receives
 * the answers to its own requests.
 */
export function mirror(options: MirrorOptions): Transport {
  return defineTransport('mirror', (control) => new Mirror(control, options).driver, { hasMessageIds: true });
}

class Mirror {
  readonly #control: TransportControl;
  readonly #options: MirrorOptions;
  readonly #questions = new OpenQuestions();
  readonly #remote: RemoteHost;
  /** The agent's answer to the local host's `initialize`, and the id of this request. */
  #initialize: { readonly id: unknown; answer?: Frame } | undefined;
  #full: Promise<void> | undefined;
  /** Settles when the messages that result from the remote host's actions have been sent to the local host. */
  #sentToLocal: Promise<void> | undefined;
  #makeRoom = () => {};

  constructor(control: TransportControl, options: MirrorOptions) {
    const { local, remote } = options;
    this.#control = control;
    this.#options = options;
    this.#remote = new RemoteHost(remote, options);
    void this.#read('local', local).then(
      () => control.ended(),
      () => {},
    );
    this.#read('remote', remote).catch(() => {});
    local.opened.then(
      () => control.opened(),
      () => {},
    );
    void local.closed.then(({ error, status }) => control.closed(error, status === undefined ? {} : { status }));
  }

  get driver() {
    const { local, remote } = this.#options;
    const link = isWorker(remote) ? remote.worker : undefined;
    // Rows that earlier workers stored belong to other sessions, because the local host owns this session.
    const worker = link && { ...reportsOf(link), restored: Promise.resolve(null), internalEvents: link.internalEvents };
    return {
      write: (batch: Batch) => this.#write(batch),
      flush: () => local.flush(),
      close: () => local.close(),
      abort: (reason: unknown) => local.abort(reason),
      pause: () => void (this.#full ??= new Promise((resolve) => (this.#makeRoom = resolve))),
      resume: () => {
        this.#full = undefined;
        this.#makeRoom();
      },
      worker,
    };
  }

  /** Only the local host can slow down the agent. */
  async #write(batch: Batch): Promise<void> {
    const texts: Record<Side, Outgoing[]> = { local: [], remote: [] };
    for (const message of batch.messages()) {
      // A `transcript_mirror` message is only for the local host's store.
      if (isOfStore(message.text)) {
        texts.local.push(message);
        continue;
      }
      const frame = controlFrame(message.text);
      if (frame === undefined) {
        texts.local.push(message);
        texts.remote.push(message);
      } else for (const [side, one] of this.#route(frame, message)) texts[side].push(one);
    }
    if (texts.remote.length > 0) this.#remote.send(texts.remote);
    if (texts.local.length > 0) await this.#options.local.send(batchOfTexts(texts.local));
  }

  /** Returns the host that receives a control frame from the agent, and the frame for this host. */
  #route(frame: Frame, message: Outgoing): readonly (readonly [Side, Outgoing])[] {
    const both = [['local', message] as const, ['remote', message] as const];
    switch (frame['type']) {
      case 'control_request':
        return this.#questions.ask(frame) ? both : [['local', message]];
      case 'control_cancel_request':
        return this.#questions.settle(requestIdOf(frame)) ? both : [['local', message]];
      default: {
        const response = memberOf(frame, 'response');
        const id = requestIdOf(response);
        // A host may reuse the id for a later request.
        if (this.#initialize !== undefined && id === this.#initialize.id) {
          this.#initialize.answer ??= memberOf(response, 'response');
        }
        const forRemote = this.#remote.answered(frame);
        return [forRemote === undefined ? ['local', message] : ['remote', forRemote]];
      }
    }
  }

  async #read(side: Side, { incoming }: Transport): Promise<void> {
    for await (const items of incoming) {
      this.#control.receive(items.flatMap((item) => this.#taken(side, item)));
      await this.#full;
      // Waits for the local host. Otherwise, a remote host's prompts could fill the memory while the local host does not read.
      if (side === 'remote') await this.#sentToLocal;
    }
  }

  /** Returns the items to pass to the agent for an item from a host. */
  #taken(side: Side, item: Incoming): readonly Incoming[] {
    if (item.kind !== 'message') return side === 'local' ? [item] : [];
    const { message } = item.read();
    // Items other than messages are used only if they come from the local host.
    if (message === undefined) return side === 'local' ? [item] : [];
    switch (message.type) {
      case 'control_response':
        return this.#answered(side, item, requestIdOf(memberOf(message, 'response')));
      case 'control_request':
        return side === 'local' ? this.#localRequest(item, message) : this.#remoteRequest(item, message);
      case 'control_cancel_request':
        return side === 'local' ? [item] : this.#remoteCancel(item, message);
      case 'user':
        this.#echoPrompt(side, message);
        return [item];
      case 'update_environment_variables':
        // Only the local host may end the process.
        return side === 'local' ? [item] : [];
      default:
        return [item];
    }
  }

  /** Passes on the first answer to a question, and cancels the question at the other host. Drops later answers. */
  #answered(side: Side, item: IncomingMessage, requestId: unknown): readonly Incoming[] {
    if (!this.#questions.settle(requestId)) return side === 'local' ? [item] : [];
    this.#sendToOther(side, { type: 'control_cancel_request', request_id: requestId });
    return [item];
  }

  #localRequest(item: IncomingMessage, message: Frame): readonly Incoming[] {
    if (memberOf(message, 'request')['subtype'] === 'initialize') this.#initialize = { id: requestIdOf(message) };
    return [item];
  }

  /**
   * Gives the request a new, unique id. The `initialize` request of the remote host is not passed to the agent, which uses the local host's hooks.
   */
  #remoteRequest(item: IncomingMessage, message: Frame): readonly Incoming[] {
    const request = memberOf(message, 'request');
    const id = requestIdOf(message);
    if (request['subtype'] === 'initialize') {
      this.#remote.send([outgoing(this.#introduction(id))]);
      return [];
    }
    return [copyOf(item, this.#remote.asked(message))];
  }

  #remoteCancel(item: IncomingMessage, message: Frame): readonly Incoming[] {
    const cancel = this.#remote.tookBack(message);
    return cancel === undefined ? [] : [copyOf(item, cancel)];
  }

  /** Returns the answer that the local host received for `initialize`, with the open questions. */
  #introduction(request_id: unknown): Frame {
    const response = { commands: [], agents: [], models: [], account: {}, ...this.#initialize?.answer };
    const openRequests = {
      pending_permission_requests: this.#questions.of('can_use_tool'),
      pending_user_dialog_requests: this.#questions.of('request_user_dialog'),
      pending_elicitation_requests: this.#questions.of('elicitation'),
    };
    return { type: 'control_response', response: { ...openRequests, subtype: 'success', request_id, response } };
  }

  /** Sends nothing if the agent echoes prompts itself, because the agent's own echo is sent to both hosts. */
  #echoPrompt(from: Side, message: Frame): void {
    if (!this.#options.replays) this.#sendToOther(from, { ...message, isReplay: true });
  }

  #sendToOther(than: Side, message: Frame): void {
    const sent = outgoing(message);
    if (than === 'local') this.#remote.send([sent]);
    else this.#sentToLocal = this.#options.local.send(batchOfTexts([sent])).catch(() => {});
  }
}

function reportsOf(link: WorkerLink) {
  return {
    reportState: link.reportState.bind(link),
    reportMetadata: link.reportMetadata.bind(link),
    reportDelivery: link.reportDelivery.bind(link),
  };
}

function isOfStore(text: string): boolean {
  return text.includes('"transcript_mirror"') && parseLine(text).message?.type === 'transcript_mirror';
}

function controlFrame(text: string): Frame | undefined {
  if (!text.includes('"control_')) return undefined;
  const { message } = parseLine(text);
  return message?.type.startsWith('control_') === true ? message : undefined;
}

function copyOf({ cursor, source }: IncomingMessage, message: Frame): IncomingMessage {
  return incomingMessage(JSON.stringify(message), {
    ...(cursor !== undefined && { cursor }),
    ...(source !== undefined && { source }),
  });
}
