import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  methods,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { RequestContext } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { PermissionResult, SDKControlInitializeResponse, SDKControlPermissionRequest } from '@proto/core/messages';
import type { HostSession, HostSessionOptions } from '@proto/host';
import { ASK_TOOL, answerOfQuestions, elicitationResult, formOfQuestions } from './forms.ts';
import { permissionOptions, permissionResult } from './permission-options.ts';
import { promptContent, promptText } from './prompt-content.ts';
import { ReadingProgress } from './reading-progress.ts';
import { configOptionsOf, modesOf } from './session-settings.ts';
import { SessionUpdates } from './session-updates.ts';
import { stopReasonOf } from './stop-reason.ts';
import { OpenPrompts } from './open-prompts.ts';
import { viewOfToolCall } from './tool-calls.ts';
import { objectOf } from '../members.ts';

export interface EditorSessionParts {
  readonly sessionId: string;
  /** The working directory of the session. */
  readonly cwd: string;
  readonly client: AgentContext;
  readonly clientCapabilities: ClientCapabilities;
  /** The mode in which the agent was started. */
  readonly mode: string;
  /** Opens the session with the agent. */
  readonly open: (options: HostSessionOptions) => HostSession;
}

/** One session of an editor with its agent. */
export class EditorSession {
  readonly sessionId: string;
  readonly #client: AgentContext;
  readonly #capabilities: ClientCapabilities;
  readonly #host: HostSession;
  readonly #updates: SessionUpdates;
  readonly #cwd: string;
  readonly #prompts = new OpenPrompts();
  readonly #progress: ReadingProgress;
  #about: SDKControlInitializeResponse | undefined;
  #mode: string;
  #model: string | undefined;
  #hasTitle = false;

  constructor({ sessionId, cwd, client, clientCapabilities, mode, open }: EditorSessionParts) {
    this.sessionId = sessionId;
    this.#cwd = cwd;
    this.#updates = new SessionUpdates(cwd);
    this.#client = client;
    this.#capabilities = clientCapabilities;
    this.#mode = mode;
    this.#host = open({
      canUseTool: (request, context) => this.#decide(request, context),
      onElicitation: async (request, { signal }) => elicitationResult(await this.#elicit(request, signal)),
    });
    this.#progress = new ReadingProgress(() => this.#host.counters.messages);
    void this.#read();
  }

  /** Waits for the agent's answer to `initialize`. Rejects with `-32603` if the agent does not start. */
  async opened(): Promise<void> {
    this.#about = await this.#host.initialized.catch((error: unknown) => {
      throw RequestError.internalError(undefined, `the agent did not start: ${textOf(error)}`);
    });
  }

  get modes(): SessionModeState {
    return modesOf(this.#mode);
  }

  get configOptions(): SessionConfigOption[] {
    return configOptionsOf({ mode: this.#mode, model: this.#model }, this.#about ?? { models: [] });
  }

  /** Sends the commands of the agent to the editor. */
  async sendCommands(): Promise<void> {
    const availableCommands = (this.#about?.commands ?? []).map(({ name, description, argumentHint }) => ({
      name,
      description,
      ...(argumentHint && { input: { hint: argumentHint } }),
    }));
    await this.#send([{ sessionUpdate: 'available_commands_update', availableCommands }]);
  }

  /** Sends a stored conversation to the editor. */
  async replay(history: readonly WireMessage[]): Promise<void> {
    const stored = new SessionUpdates(this.#cwd);
    for (const message of history) await this.#send(stored.ofStored(message));
    await this.#send(stored.endCalls());
    this.#hasTitle ||= history.length > 0;
  }

  /** Fulfils when the turn is over and all its updates have been sent. */
  async prompt(blocks: readonly ContentBlock[]): Promise<PromptResponse> {
    const content = promptContent(blocks);
    const { uuid, ended } = this.#prompts.open();
    this.#host.prompt(content, { uuid }).accepted.catch((error: unknown) => this.#prompts.fail(uuid, error));
    void this.#nameSession(promptText(blocks));
    return { stopReason: await ended };
  }

  /** Ends the running turn, and removes the prompts that are still waiting. */
  async cancel(): Promise<void> {
    await this.#host.interrupt({ cancelQueued: true }).catch(() => {});
  }

  /** The editor is notified of the mode that the agent has changed to, which may be another mode. */
  async setMode(mode: string): Promise<void> {
    const answer = await this.#ask('set_permission_mode', { mode });
    await this.#changeMode(objectOf(answer)['mode'] ?? mode);
  }

  async setModel(model: string): Promise<void> {
    await this.#ask('set_model', { model });
    this.#model = model;
  }

  async close(): Promise<void> {
    this.#prompts.failAll(new Error('the session was closed'));
    await this.#host.close();
  }

  /** An error of the agent is a mistake in the parameters of the editor. */
  #ask(subtype: 'set_permission_mode' | 'set_model', members: object): Promise<unknown> {
    return this.#host.request(subtype as string, { ...members }).catch((error: unknown) => {
      throw RequestError.invalidParams(undefined, textOf(error));
    });
  }

  async #read(): Promise<void> {
    try {
      for await (const message of this.#host) {
        await this.#convert(message);
        this.#progress.advance();
      }
      this.#prompts.failAll(new Error('the agent has ended'));
    } catch (error) {
      this.#prompts.failAll(error);
    } finally {
      this.#progress.end();
    }
  }

  async #convert(message: WireMessage): Promise<void> {
    await this.#send(this.#updates.of(message));
    if (message.type === 'system' && message['subtype'] !== 'init') await this.#changeMode(message['permissionMode']);
    if (message.type !== 'result') return this.#prompts.onMessage(message);
    await this.#send(this.#updates.endCalls());
    this.#prompts.onResult(message, () => stopReasonOf(message));
  }

  async #changeMode(mode: unknown): Promise<void> {
    if (typeof mode !== 'string' || mode === this.#mode) return;
    this.#mode = mode;
    await this.#send([
      { sessionUpdate: 'current_mode_update', currentModeId: mode },
      { sessionUpdate: 'config_option_update', configOptions: this.configOptions },
    ]);
  }

  /** The updates of a session are sent one after the other, so a slow editor slows the agent down. */
  async #send(updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates)
      await this.#client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }

  async #decide(request: SDKControlPermissionRequest, { signal }: RequestContext): Promise<PermissionResult> {
    const { tool_use_id: toolCallId, tool_name: name, input } = request;
    await this.#progress.untilReadAll(() => this.#updates.hasCall(toolCallId));
    await this.#send(this.#updates.introduce({ id: toolCallId, name, input }));
    if (name === ASK_TOOL && this.#capabilities.elicitation?.form) {
      const form = { message: request.title ?? 'Please answer', requested_schema: formOfQuestions(request) };
      return answerOfQuestions(request, await this.#elicit(form, signal, toolCallId));
    }
    const { outcome } = await this.#client.request(
      methods.client.session.requestPermission,
      {
        sessionId: this.sessionId,
        toolCall: { toolCallId, rawInput: input, ...viewOfToolCall(name, input, this.#cwd) },
        options: permissionOptions(request),
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    return permissionResult(request, outcome);
  }

  /** A question that the editor cannot show is declined. */
  async #elicit(
    { message, mode, url, elicitation_id: elicitationId, requested_schema: requestedSchema }: Question,
    signal: AbortSignal,
    toolCallId?: string,
  ): Promise<{ readonly action: string; readonly content?: unknown }> {
    const { elicitation } = this.#capabilities;
    const about = { sessionId: this.sessionId, message, ...(toolCallId !== undefined && { toolCallId }) };
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    if (mode === 'url' && elicitation?.url && url !== undefined && elicitationId !== undefined)
      return this.#client.request(methods.client.elicitation.create, { ...about, mode, url, elicitationId }, options);
    if (mode === 'url' || !elicitation?.form) return { action: 'decline' };
    const form = { ...about, mode: 'form' as const, requestedSchema: objectOf(requestedSchema) };
    return this.#client.request(methods.client.elicitation.create, form, options);
  }

  /** Asks the agent for a title, once. An agent that makes no titles is not asked again. */
  async #nameSession(description: string): Promise<void> {
    if (this.#hasTitle || description === '') return;
    this.#hasTitle = true;
    const answer = await this.#host
      .request('generate_session_title', { description, persist: true })
      .catch(() => undefined);
    const { title } = objectOf(answer);
    if (typeof title === 'string') await this.#send([{ sessionUpdate: 'session_info_update', title }]);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Question {
  readonly message: string;
  readonly mode?: string;
  readonly url?: string;
  readonly elicitation_id?: string;
  readonly requested_schema?: unknown;
}
