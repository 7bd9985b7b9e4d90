import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type AnyMessage,
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { connectEditor, type EditorSessions } from '@proto/acp';
import { createStdioTransport } from '@proto/transport-stdio';

/** Something that an editor shows, in a few words. */
export type Shown = string;

interface Question {
  answer(response: RequestPermissionResponse): void;
  refuse(error: Error): void;
}

/** An editor from its start to its end, with the published client library. It has at most one session. */
export class EditorLife {
  /** What the editor has been sent, in order. */
  readonly shown: Shown[] = [];
  /** The prompts that this editor has sent. It is not sent them again. */
  readonly own = new Set<Shown>();
  /** The calls that the editor was asked about, in order. */
  readonly asked: string[] = [];
  /** The permission requests that wait for an answer, by the id of the call. */
  readonly open = new Map<string, Question>();
  /** The methods of what the editor has received, and the answer that opens the session, in order. */
  readonly received: string[] = [];
  readonly #connection: ClientConnection;
  readonly #wire = [new PassThrough(), new PassThrough()] as const;
  #sessionId = '';

  constructor(sessions: EditorSessions) {
    const [toAgent, toEditor] = this.#wire;
    connectEditor(createStdioTransport({ input: toAgent, output: toEditor }), { sessions });
    const { readable, writable } = ndJsonStream(
      Writable.toWeb(toAgent),
      Readable.toWeb(toEditor) as ReadableStream<Uint8Array>,
    );
    this.#connection = client({ name: 'editor' })
      .onNotification(methods.client.session.update, ({ params }) => this.#show(params.update))
      .onRequest(methods.client.session.requestPermission, ({ params: { toolCall }, signal }) => {
        const { toolCallId } = toolCall;
        this.asked.push(toolCallId);
        signal.addEventListener('abort', () => this.open.delete(toolCallId));
        return new Promise<RequestPermissionResponse>((answer, refuse) =>
          this.open.set(toolCallId, { answer, refuse }),
        );
      })
      .connect({ readable: readable.pipeThrough(this.#recording()), writable });
  }

  /** Creates a session, and returns its id. */
  async create(): Promise<string> {
    await this.#initialize();
    ({ sessionId: this.#sessionId } = await this.#connection.agent.request(methods.agent.session.new, {
      cwd: '/work',
      mcpServers: [],
    }));
    return this.#sessionId;
  }

  async enter(sessionId: string, how: 'load' | 'resume'): Promise<void> {
    await this.#initialize();
    this.#sessionId = sessionId;
    const request = { sessionId, cwd: '/work', mcpServers: [] };
    if (how === 'load') await this.#connection.agent.request(methods.agent.session.load, request);
    else await this.#connection.agent.request(methods.agent.session.resume, request);
  }

  async prompt(text: string): Promise<void> {
    this.own.add(`user ${text}`);
    const prompt = [{ type: 'text' as const, text }];
    await this.#connection.agent.request(methods.agent.session.prompt, { sessionId: this.#sessionId, prompt });
  }

  /** Allows the oldest call that the editor is asked about. */
  allow(): void {
    this.#takeOldest()?.answer({ outcome: { outcome: 'selected', optionId: 'allow' } });
  }

  /** Answers the oldest question with an error. */
  refuse(error: Error): void {
    this.#takeOldest()?.refuse(error);
  }

  /** Ends like an editor whose process is killed. */
  close(): void {
    this.#connection.close();
    for (const stream of this.#wire) stream.destroy();
  }

  #takeOldest(): Question | undefined {
    const [oldest] = this.open;
    if (oldest !== undefined) this.open.delete(oldest[0]);
    return oldest?.[1];
  }

  #recording(): TransformStream<AnyMessage, AnyMessage> {
    return new TransformStream({
      transform: (message, controller) => {
        if ('method' in message) this.received.push(message.method);
        else if ('result' in message && Object.hasOwn(Object(message.result), 'modes'))
          this.received.push('the answer that opens the session');
        controller.enqueue(message);
      },
    });
  }

  async #initialize(): Promise<void> {
    await this.#connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  }

  #show(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk': {
        const who = update.sessionUpdate === 'user_message_chunk' ? 'user' : 'agent';
        this.shown.push(`${who} ${'text' in update.content ? update.content.text : '?'}`);
        break;
      }
      case 'tool_call':
        this.shown.push(`begin ${update.toolCallId}`);
        break;
      case 'tool_call_update':
        this.shown.push(`${String(update.status)} ${update.toolCallId}`);
        break;
      default:
    }
  }
}
