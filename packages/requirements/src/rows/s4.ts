import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of document S4: host data flow (Go SDK). */
export const s4: readonly Row[] = [
  ...section('S4 host data flow (Go SDK) / One-shot query', {
    'S4-01 query/prompt-by-stdin':
      '[host] Query(prompt, options) resolves the executable, builds the transport and returns an iterator; the prompt goes by stdin, as an argument only on request and below 8 KB (seed: argument).',
    'S4-02 spawn/pipes-and-reader': '[host] connect spawns the process, makes stdout/stderr pipes and starts a reader.',
    'S4-03 messages/parsed-then-ended':
      '[host] next() reads from the message channel, parses by `type` (assistant, user, system, result) and ends with a distinct "no more messages" signal.',
    'S4-04 spawn/terminate-then-kill':
      '[host] close(): SIGTERM, wait 5 s, SIGKILL if still running, release resources.',
  }),
  ...section('S4 host data flow (Go SDK) / Streaming client', {
    'S4-05 spawn/stdin-stays-open':
      '[host] client options → connect → find the executable → command with options → spawn with stdin open.',
    'S4-06 initialize/sent-and-awaited':
      '[host] initialise the control protocol when hooks or permissions are configured: send initialize, await the answer [today: TS/Python always].',
    'S4-07 prompt/several-on-one-connection':
      '[host] query(prompt) writes a user message; several prompts on one connection.',
    'S4-08 messages/no-control-frames':
      '[host] receiveMessages yields regular messages; control frames are routed to the protocol and never reach the application.',
    'S4-09 validator/sees-every-message': '[host] the validator sees every regular message.',
    'S4-10 close/graceful': '[host] disconnect runs the graceful shutdown sequence.',
    'S4-11 with-host/always-disconnects':
      '[host] withClient(fn): new, connect, run, always disconnect (also when fn throws/panics), disconnect errors ignored.',
  }),
  ...section('S4 host data flow (Go SDK) / Control protocol', {
    'S4-12 initialize/capabilities-stored': '[host] initialize handshake stores the capabilities.',
    'S4-13 permission/callback-answers':
      '[host] incoming permission request → callback → allow/deny answer [today: members of §7 of the reference].',
    'S4-14 hook/callback-answers':
      '[host] incoming hook request → match → callback → result answer [today: `hook_callback` by `callback_id`].',
    'S4-15 model/set-and-awaited': '[host] outgoing set_model → awaited answer → success/error to the caller.',
    'S4-16 request/answer-by-id': '[host] responses are matched by request id to the waiting call.',
  }),
  ...section('S4 host data flow (Go SDK) / Parsing', {
    'S4-17 line/length-bounded':
      '[host] line length is bounded including the accumulated buffer [today: default 64 MiB, 1 MiB settable for parity].',
    'S4-18 line/speculative-parsing':
      '[host] speculative parsing: append, try to parse, on success clear the buffer, else wait for more data (decide: off by default, see reference §1.12).',
    'S4-19 messages/dispatched-by-type':
      '[host] type dispatch: assistant (blocks text, thinking, tool_use, tool_result), user, system, result, control_response → protocol, stream_event.',
  }),
  ...section('S4 host data flow (Go SDK) / Errors', {
    'S4-20 errors/agent-not-found':
      '[host] executable not found: told apart by `code` (`agent-not-found`), with `searched` and an installation `hint`, in a class of `@proto/transport-stdio` (`AgentNotFoundError`), which `AgentNotFoundError.find` finds among causes.',
    'S4-21 errors/connection-failed':
      '[host] connection failure: `code` `connect-failed` / `lost` with `exitCode`, `signal`, `stderrTail`, in a class of `@proto/transport-stdio` (`AgentProcessError`), which `AgentProcessError.find` finds among causes.',
    'S4-22 errors/invalid-message':
      '[host] JSON or message parse failure: `code` `invalid-message` carrying the raw `line` (never in `message`), as the class `InvalidMessageError`.',
    'S4-23 errors/abort-reason-unchanged':
      "[host] cancellation and timeout surface as the platform's cancel/deadline errors: an aborted signal as its `reason`, unchanged, wherever one is taken (`AbortSignal.timeout` as its TimeoutError); `timeoutMs` as a `TransportError` of code `timeout`.",
    'S4-24 validator/statistics':
      '[host] stream validator and statistics: issues for missing/extra tool results and a missing result; counters requested/received/pending, hasResult, streamEnded (named in the flow, specified in the SDK it describes).',
  }),
  ...section('S4 host data flow (Go SDK) / Edges and joints', {
    'S4-25 options/argv-environment-initialize':
      "[host] typed options → argv, environment and `initialize` members exactly as wire-reference 13 and 6.3 (both directions: the parser of the agent's side reads them back); `extraArgs` for the rest; variables that have no option, and why, are in docs/from-the-vendor-sdk.md.",
    'S4-26 spawn/finds-executable':
      '[host] finding the executable: given path, PATH, documented places; the error lists where it looked and how to install; a missing working directory is its own error.',
    'S4-27 close/once-when-left-early':
      '[host] closing the iterator early, twice or before the first read runs the same shutdown once; stderr is drained always, its tail kept.',
  }),
];
