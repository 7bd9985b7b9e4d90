import type { AgentEvent, AgentEventOf, SessionResult, Usage } from './agent-event.ts';

/** Callbacks by type of event. All callbacks are optional. If a callback throws, the run ends and `dispatch` rejects with the error. */
export interface StreamHandler {
  /** Called when the session starts, and again if the id of the session changes. */
  onSessionStart?(event: AgentEventOf<'session_start'>): void;
  /**
   * Called with the text that the model writes, in pieces or whole blocks. Each character is passed only once. Text with `event.parentId` comes from
   * a sub-agent and is not part of the answer.
   */
  onText?(text: string, event: AgentEventOf<'text'>): void;
  /** Called with the model's thinking, in pieces or whole blocks. Each character is passed only once. */
  onThinking?(text: string, event: AgentEventOf<'thinking'>): void;
  /** Called once for each tool call, before its result. `input` has the format that the backend reports. */
  onToolCall?(name: string, input: unknown, event: AgentEventOf<'tool_call'>): void;
  /** Called to report the progress of a running tool, such as a part of its output. */
  onToolProgress?(event: AgentEventOf<'tool_progress'>): void;
  /** Called with the result of the tool call `id`, as text. `event.isError` says whether the call failed. */
  onToolResult?(id: string, output: string, event: AgentEventOf<'tool_result'>): void;
  /** Called with token counts. `event.scope` says whether the counts cover one call to the model or all calls. */
  onUsage?(usage: Usage, event: AgentEventOf<'usage'>): void;
  /** Called when the backend retries a failed request to the model. */
  onRetry?(event: AgentEventOf<'retry'>): void;
  /** Called once for each error message. A run may still succeed after an error unless `event.fatal` is `true`. */
  onError?(message: string, event: AgentEventOf<'error'>): void;
  /** Called for each `<event>` tag in the output of a text backend. */
  onTagEvent?(event: AgentEventOf<'tag_event'>): void;
  /** Called for each known record without model output. */
  onInfo?(event: AgentEventOf<'info'>): void;
  /** Called for each record of a type that this version does not know. `event.raw` is the record. */
  onUnknown?(event: AgentEventOf<'unknown'>): void;
  /** Called once, as the last callback, with the result of the run. */
  onComplete?(result: SessionResult): void;
}

/** Calls the callback for each event, and returns the result of the run. @throws {TypeError} if the events end without `complete`. */
export async function dispatch(events: AsyncIterable<AgentEvent>, handler: StreamHandler): Promise<SessionResult> {
  for await (const event of events) {
    call(event, handler);
    if (event.type === 'complete') return event.result;
  }
  throw new TypeError('the events ended without a "complete" event');
}

function call(event: AgentEvent, handler: StreamHandler): void {
  switch (event.type) {
    case 'session_start':
      return handler.onSessionStart?.(event);
    case 'text':
      return handler.onText?.(event.text, event);
    case 'thinking':
      return handler.onThinking?.(event.text, event);
    case 'tool_call':
      return handler.onToolCall?.(event.name, event.input, event);
    case 'tool_progress':
      return handler.onToolProgress?.(event);
    case 'tool_result':
      return handler.onToolResult?.(event.id, event.output, event);
    case 'usage':
      return handler.onUsage?.(event.usage, event);
    case 'retry':
      return handler.onRetry?.(event);
    case 'error':
      return handler.onError?.(event.message, event);
    case 'tag_event':
      return handler.onTagEvent?.(event);
    case 'info':
      return handler.onInfo?.(event);
    case 'unknown':
      return handler.onUnknown?.(event);
    case 'complete':
      return handler.onComplete?.(event.result);
  }
}
