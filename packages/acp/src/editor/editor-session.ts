import { methods, RequestError } from '@agentclientprotocol/sdk';
import type * as acp from '@agentclientprotocol/sdk';
import type { RequestContext } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type {
  PermissionResult,
  SDKControlElicitationRequest,
  SDKControlInitializeResponse,
  SDKControlPermissionRequest,
} from '@proto/core/messages';
import { createHostSession, type HostSession, type PromptOutcome } from '@proto/host';
import type { EditorAgent } from './editor-sessions.ts';
import { ASK_TOOL, answerOfQuestions, elicitationResult, formOfQuestions } from './forms.ts';
import { internalError, textOf } from './request-errors.ts';
import { permissionOptions, permissionResult } from './permission-options.ts';
import { promptContent, promptText } from './prompt-content.ts';
import { ReadingProgress } from './reading-progress.ts';
import { configOptionsOf, DEFAULT_EFFORT, modesOf, offers, type SessionSettings } from './session-settings.ts';
import { SessionUpdates } from './session-updates.ts';
import { OpenPrompts } from './open-prompts.ts';
import { viewOfToolCall } from './tool-calls.ts';
import { objectOf } from '../members.ts';

const CLOSE_MS = 5000;

export interface EditorSessionParts extends EditorAgent {
  /** The working directory of the session. */
  readonly cwd: string;
  readonly client: acp.AgentContext;
  readonly clientCapabilities: acp.ClientCapabilities;
  /** Whether the editor is sent only what is said after it has opened the session. */
  readonly hidesHistory: boolean;
}

/** One session of an editor with its agent. */
export class EditorSession {
  readonly sessionId: string;
  readonly #parts: EditorSessionParts;
  readonly #host: HostSession;
  readonly #updates: SessionUpdates;
  readonly #prompts = new OpenPrompts();
  readonly #progress: ReadingProgress;
  /** Fulfils when the editor may be asked for permissions: it expects them after the answer that opens the session. */
  readonly #announced: Promise<void>;
  #announce = () => {};
  /** Whether the agent belongs to a server, and has other hosts too. */
  readonly #isShared: boolean;
  #isHidden: boolean;
  #isClosed = false;
  #about: SDKControlInitializeResponse | undefined;
  #settings: SessionSettings;
  #hasTitle = false;
  /** Gives up a title that the agent is making. */
  #naming = new AbortController();

  constructor(parts: EditorSessionParts) {
    const { sessionId, cwd, transport, initialize, mode = 'default', caughtUp, hidesHistory } = parts;
    this.sessionId = sessionId;
    this.#parts = parts;
    this.#isShared = caughtUp !== undefined;
    this.#isHidden = hidesHistory;
    this.#updates = new SessionUpdates({ cwd, withPrompts: this.#isShared });
    this.#settings = { mode };
    this.#announced = new Promise((resolve) => (this.#announce = resolve));
    this.#host = createHostSession(transport, {
      canUseTool: (request, context) => this.#askEditor(() => this.#decide(request, context)),
      onElicitation: (request, { signal }) =>
        this.#askEditor(async () => elicitationResult(await this.#elicit(request, signal))),
      ...(initialize && { initialize }),
    });
    this.#progress = new ReadingProgress(() => this.#host.counters.messages);
    void this.#read();
  }

  /** Waits until the agent can be used. @throws {RequestError} `-32603` if it does not start, or the server cannot be reached. */
  async opened(): Promise<void> {
    const { initialized, transport } = this.#host;
    const known = initialized.then((about) => void (this.#about = about));
    known.catch(() => {});
    await (this.#isShared ? transport.opened : known).catch((error: unknown) => {
      throw internalError(error, this.#isShared ? 'the session cannot be opened: ' : 'the agent did not start: ');
    });
  }

  get modes(): acp.SessionModeState {
    return modesOf(this.#settings.mode);
  }

  get configOptions(): acp.SessionConfigOption[] {
    return configOptionsOf(this.#settings, this.#about?.models ?? []);
  }

  /** Begins to ask the editor for permissions, and sends it the commands of the agent when they are known. */
  async announce(): Promise<void> {
    this.#announce();
    const isLate = this.#about === undefined;
    const { commands } = await this.#host.initialized;
    const availableCommands = commands.map(({ name, description, argumentHint }) => ({
      name,
      description,
      ...(argumentHint && { input: { hint: argumentHint } }),
    }));
    if (isLate) await this.#send([{ sessionUpdate: 'config_option_update', configOptions: this.configOptions }]);
    await this.#send([{ sessionUpdate: 'available_commands_update', availableCommands }]);
  }

  /** Sends the conversation so far to the editor, unless it is hidden. `history` are messages that the transport does not deliver. */
  async replay(history: readonly WireMessage[]): Promise<void> {
    const stored = new SessionUpdates({ cwd: this.#parts.cwd, withPrompts: true });
    for (const message of history) await this.#send(stored.of(message));
    await this.#send(stored.calls.end());
    this.#hasTitle ||= this.#isShared || history.length > 0;
    await this.#parts.caughtUp;
    await this.#progress.untilReadAll(() => false);
    if (!this.#isHidden || this.#isClosed) return;
    // These updates are queued at once, before those of a message that is read next.
    const introduced = this.#updates.calls.introduceAgain().map((update) => this.#notify(update));
    this.#isHidden = false;
    await Promise.all(introduced);
  }

  /** Fulfils when the turn is over and all its updates have been sent. */
  async prompt(blocks: readonly acp.ContentBlock[]): Promise<acp.PromptResponse> {
    const content = promptContent(blocks);
    const { uuid, ended } = this.#prompts.open();
    const { accepted, outcome } = this.#host.prompt(content, { uuid });
    accepted.catch((error: unknown) => this.#prompts.fail(uuid, error));
    void outcome.then((end) => this.#ended(uuid, end));
    this.#nameSession(promptText(blocks)).catch(() => {});
    return { stopReason: await ended };
  }

  /** Answers a prompt that gets no result, because it was removed, or the agent or the server has refused it. */
  async #ended(uuid: string, outcome: PromptOutcome): Promise<void> {
    await this.#progress.untilReadAll(() => false);
    if (outcome === 'cancelled') this.#prompts.cancel(uuid);
  }

  /** Ends the running turn, and removes the prompts that are still waiting. A title that is still being made is asked for again with the next prompt. */
  async cancel(): Promise<void> {
    this.#naming.abort();
    await this.#host.interrupt({ cancelQueued: true }).catch(() => {});
  }

  /** The editor is notified of the mode that the agent has changed to, which may be another mode. */
  async setMode(mode: string): Promise<void> {
    const answer = await this.#ask('set_permission_mode', { mode });
    await this.#changeMode(objectOf(answer)['mode'] ?? mode);
  }

  /** Changes one of the menus, and returns all of them. */
  async setOption(id: string, value: string): Promise<acp.SetSessionConfigOptionResponse> {
    if (!this.configOptions.some((menu) => menu.id === id && offers(menu, value)))
      throw RequestError.invalidParams(undefined, `there is not an option "${id}" with the value "${value}"`);
    const effortLevel = value === DEFAULT_EFFORT ? null : value;
    if (id === 'mode') await this.setMode(value);
    else if (id === 'model') await this.#ask('set_model', { model: value });
    else await this.#ask('apply_flag_settings', { settings: { effortLevel } });
    if (id !== 'mode') this.#settings = { ...this.#settings, [id]: value };
    return { configOptions: this.configOptions };
  }

  /** Ends the prompts as a cancel does. What the editor has sent is still delivered, if the server can be reached within 5 seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#prompts.cancelAll();
    if (!this.#isShared) return this.#host.close();
    const timer = setTimeout(() => this.#host.abort(), CLOSE_MS);
    await this.#host.close().finally(() => clearTimeout(timer));
  }

  /** An error of the agent is a mistake in the parameters of the editor. */
  #ask(subtype: string, members: object): Promise<unknown> {
    return this.#host.request(subtype, { ...members }).catch((error: unknown) => {
      throw RequestError.invalidParams(undefined, textOf(error));
    });
  }

  async #read(): Promise<void> {
    try {
      for await (const message of this.#host) {
        // A message that cannot be converted is left out.
        await this.#convert(message).catch(() => {});
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
    if (message.type === 'system' && (this.#isShared || message['subtype'] !== 'init'))
      await this.#changeMode(message['permissionMode']);
    if (message.type !== 'result') return;
    await this.#send(this.#updates.calls.end());
    this.#prompts.onResult(message);
  }

  async #changeMode(mode: unknown): Promise<void> {
    if (typeof mode !== 'string' || mode === this.#settings.mode) return;
    this.#settings = { ...this.#settings, mode };
    await this.#send([
      { sessionUpdate: 'current_mode_update', currentModeId: mode },
      { sessionUpdate: 'config_option_update', configOptions: this.configOptions },
    ]);
  }

  /** The updates of a session are sent one after the other, so a slow editor slows the agent down. */
  async #send(updates: readonly acp.SessionUpdate[]): Promise<void> {
    for (const update of updates) if (!this.#isHidden && !this.#isClosed) await this.#notify(update);
  }

  #notify(update: acp.SessionUpdate): Promise<void> {
    return this.#parts.client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }

  /** A question that the editor cannot answer, for example because it has been closed, stays open for the other hosts of a server. */
  async #askEditor<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    await this.#announced;
    return ask().catch((error: unknown) => {
      if (this.#isShared) return null;
      throw error;
    });
  }

  async #decide(request: SDKControlPermissionRequest, { signal }: RequestContext): Promise<PermissionResult> {
    const { tool_use_id: toolCallId, tool_name: name, input } = request;
    await this.#progress.untilReadAll(() => this.#updates.calls.has(toolCallId));
    signal.throwIfAborted();
    await this.#send(this.#updates.calls.introduce({ id: toolCallId, name, input }));
    if (name === ASK_TOOL && this.#parts.clientCapabilities.elicitation?.form) {
      const form = { message: request.title ?? 'Please answer', requested_schema: formOfQuestions(request) };
      return answerOfQuestions(request, await this.#elicit(form, signal, toolCallId));
    }
    const toolCall = { toolCallId, rawInput: input, ...viewOfToolCall(name, input, this.#parts.cwd) };
    const options = permissionOptions(request);
    const asked: acp.RequestPermissionRequest = { sessionId: this.sessionId, toolCall, options };
    const { client } = this.#parts;
    const { outcome } = await client.request(methods.client.session.requestPermission, asked, cancelledBy(signal));
    return permissionResult(request, outcome);
  }

  /** A question that the editor cannot show is declined, unless another host can answer it. */
  async #elicit(
    { message, mode, url, elicitation_id: elicitationId, requested_schema: requestedSchema }: Question,
    signal: AbortSignal,
    toolCallId?: string,
  ): Promise<acp.CreateElicitationResponse> {
    const { elicitation } = this.#parts.clientCapabilities;
    const about = { sessionId: this.sessionId, message, ...(toolCallId !== undefined && { toolCallId }) };
    const ask = (request: acp.CreateElicitationRequest) =>
      this.#parts.client.request(methods.client.elicitation.create, request, cancelledBy(signal));
    if (mode === 'url' && elicitation?.url && url !== undefined && elicitationId !== undefined)
      return ask({ ...about, mode, url, elicitationId });
    if (mode !== 'url' && elicitation?.form)
      return ask({ ...about, mode: 'form', requestedSchema: objectOf(requestedSchema) });
    if (this.#isShared) throw new Error('The editor cannot show the question.');
    return { action: 'decline' };
  }

  /** Asks the agent for a title with each prompt, until it has given one. */
  async #nameSession(description: string): Promise<void> {
    if (this.#hasTitle || description === '') return;
    this.#hasTitle = true;
    const { signal } = (this.#naming = new AbortController());
    const request = { description, persist: true };
    const answer = await this.#host.request('generate_session_title', request, { signal }).catch(() => undefined);
    const { title } = objectOf(answer);
    if (typeof title === 'string') await this.#send([{ sessionUpdate: 'session_info_update', title }]);
    else this.#hasTitle = false;
  }
}

type Question = Omit<SDKControlElicitationRequest, 'subtype' | 'mcp_server_name'>;

function cancelledBy(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
