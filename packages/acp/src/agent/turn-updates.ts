import type { ContentBlock, PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { isObject } from '../members.ts';
import { ReplyMessages, type ReplyOptions } from './reply-messages.ts';
import { type KnownCall, resultTextOf, type ToolUse, toolUseOf } from './tool-use.ts';

/** A call whose result is not known yet. */
interface OpenCall {
  known: KnownCall;
  /** The call as it was sent to the host. Undefined until it is sent. */
  use: ToolUse | undefined;
}

/** A call whose result has been sent to the host. */
export interface EndedCall extends ToolUse {
  readonly id: string;
  readonly result: string;
  readonly isError: boolean;
}

export interface TurnUpdatesOptions extends ReplyOptions {
  /** Called after the result of a call has been emitted. */
  readonly onCallEnd: (call: EndedCall) => void;
  /** Called with what a host cannot be sent, such as the kind of an update. */
  readonly onUnsent: (what: string) => void;
}

/** Converts the updates of a turn, in the order in which they arrive, into the messages of the turn. */
export class TurnUpdates {
  readonly #options: TurnUpdatesOptions;
  readonly #reply: ReplyMessages;
  readonly #calls = new Map<string, OpenCall>();
  readonly #ended = new Set<string>();

  constructor(options: TurnUpdatesOptions) {
    this.#options = options;
    this.#reply = new ReplyMessages(options);
  }

  /** The last text of the model. */
  get text(): string {
    return this.#reply.lastText;
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#write('text', update.content, update.messageId);
      case 'agent_thought_chunk':
        return this.#write('thinking', update.content, update.messageId);
      case 'tool_call':
      case 'tool_call_update':
        return this.#progress(update.toolCallId, update);
      case 'plan':
        return this.#plan(update.entries);
      case 'notice':
        return this.#notify([update.title, update.description].filter(Boolean).join('\n'), update.severity);
      case 'compaction_update':
        return this.#compaction(update.status);
      case 'user_message_chunk':
        return;
      default:
        return this.#options.onUnsent(`an update of the kind ${update.sessionUpdate}`);
    }
  }

  /** The call that a permission is requested for, as it is known now. The host is sent the call before the request. */
  called(id: string, update: KnownCall): ToolUse {
    const call = this.#known(id, update);
    this.#sendCall(id, call);
    return toolUseOf(call.known);
  }

  /** Reports a call that the host has denied. Later updates of the call are ignored. */
  denied(id: string, message: string): void {
    this.#endCall(id, message, true);
  }

  /** Ends the reply and all calls that are still open. `isAborted` means that the agent did not end the turn by itself. */
  end(isAborted: boolean): void {
    for (const [id, call] of this.#calls) {
      if (call.use === undefined && isAborted) this.#calls.delete(id);
      else this.#endCall(id, isAborted ? 'The call was interrupted.' : 'The agent did not report a result.', true);
    }
    this.#reply.end(isAborted ? null : 'end_turn', isAborted);
  }

  #write(type: 'text' | 'thinking', content: ContentBlock, source: string | null | undefined): void {
    if (content.type === 'text') return this.#reply.write(type, content.text, source ?? undefined);
    if (content.type === 'resource_link') return this.#reply.write(type, content.uri, source ?? undefined);
    this.#options.onUnsent(`content of the type ${content.type}`);
  }

  #progress(id: string, update: KnownCall): void {
    if (this.#ended.has(id)) return;
    const call = this.#known(id, update);
    const { status, rawInput } = call.known;
    // The input of a pending call may be incomplete. Some agents send the input of a running call only with the permission request.
    if (status === 'in_progress' && isObject(rawInput) && Object.keys(rawInput).length > 0) this.#sendCall(id, call);
    if (status === 'completed' || status === 'failed') this.#endCall(id, resultTextOf(call.known), status === 'failed');
  }

  #known(id: string, update: KnownCall): OpenCall {
    const call = this.#calls.get(id) ?? { known: {}, use: undefined };
    const changed = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
    const { rawInput: before } = call.known;
    call.known = { ...call.known, ...(Object.fromEntries(changed) as KnownCall) };
    // Some agents repeat only a part of the input, for example in a permission request.
    const { rawInput: now } = call.known;
    if (isObject(before) && isObject(now)) call.known = { ...call.known, rawInput: { ...before, ...now } };
    this.#calls.set(id, call);
    return call;
  }

  #sendCall(id: string, call: OpenCall): ToolUse {
    if (call.use !== undefined) return call.use;
    call.use = toolUseOf(call.known);
    this.#reply.call(id, call.use.name, call.use.input);
    return call.use;
  }

  #endCall(id: string, result: string, isError: boolean): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const use = this.#sendCall(id, call);
    this.#calls.delete(id);
    this.#ended.add(id);
    this.#reply.result(id, result, isError);
    this.#options.onCallEnd({ ...use, id, result, isError });
  }

  /** Hosts show the plan of an agent as the input of the tool `TodoWrite`. */
  #plan(entries: readonly PlanEntry[]): void {
    const id = `plan_${crypto.randomUUID()}`;
    const todos = entries.map(({ content, status }) => ({ content, status, activeForm: content }));
    this.#reply.call(id, 'TodoWrite', { todos });
    this.#reply.result(id, 'The plan has been changed.', false);
  }

  #compaction(compaction: string): void {
    const status = compaction === 'in_progress' ? 'compacting' : null;
    this.#options.emit({ type: 'system', subtype: 'status', status });
    if (compaction === 'failed') this.#notify('The conversation could not be shortened.', 'error');
  }

  #notify(content: string, severity: string): void {
    const level = severity === 'error' || severity === 'warning' ? 'warning' : 'info';
    this.#options.emit({ type: 'system', subtype: 'informational', content, level });
  }
}
