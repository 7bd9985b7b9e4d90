import type { AgentEvent, AgentEventOf, SessionResult, Usage } from './agent-event.ts';

/** Callbacks by type of event, all of them optional. A callback that throws ends the run, and `dispatch` rejects with its error. */
export interface StreamHandler {
  onSessionStart?(event: AgentEventOf<'session_start'>): void;
  /** Called with pieces and whole blocks, each character once. Text with `event.parentId` comes from a sub-agent and is not part of the answer. */
  onText?(text: string, event: AgentEventOf<'text'>): void;
  onThinking?(text: string, event: AgentEventOf<'thinking'>): void;
  onToolCall?(name: string, input: unknown, event: AgentEventOf<'tool_call'>): void;
  onToolProgress?(event: AgentEventOf<'tool_progress'>): void;
  onToolResult?(id: string, output: string, event: AgentEventOf<'tool_result'>): void;
  onUsage?(usage: Usage, event: AgentEventOf<'usage'>): void;
  onRetry?(event: AgentEventOf<'retry'>): void;
  onError?(message: string, event: AgentEventOf<'error'>): void;
  onTagEvent?(event: AgentEventOf<'tag_event'>): void;
  onInfo?(event: AgentEventOf<'info'>): void;
  onUnknown?(event: AgentEventOf<'unknown'>): void;
  onComplete?(result: SessionResult): void;
}

/** Calls a handler for each event, and returns how the run ended. @throws {TypeError} when the events end without `complete`. */
export async function dispatch(events: AsyncIterable<AgentEvent>, handler: StreamHandler): Promise<SessionResult> {
  for await (const event of events) {
    call(event, handler);
    if (event.type === 'complete') return event.result;
  }
  throw new TypeError('the events ended without complete');
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
