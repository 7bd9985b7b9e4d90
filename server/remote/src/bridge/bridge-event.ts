/** What happens while a bridge runs. `session` is the number of the host, if hosts connect to the bridge. */
export type BridgeEvent = { readonly session?: number } & (
  | { readonly type: 'listening'; readonly url: string; readonly tokenFile: string | null }
  | { readonly type: 'session_started' }
  | { readonly type: 'session_ended'; readonly code: number }
  /** A program wrote this text to stderr. */
  | { readonly type: 'agent_stderr'; readonly text: string }
  /** Something was lost, a link went down or up, or a tap cannot be opened. */
  | { readonly type: 'warning'; readonly message: string }
  /** A side has ended with an error. `code` is the code of the `TransportError` or `SessionError`. */
  | { readonly type: 'error'; readonly code: string; readonly message: string; readonly retryable: boolean }
  /** Hosts can no longer connect, and all hosts have ended. `code` is the exit code. */
  | { readonly type: 'result'; readonly code: number }
);
