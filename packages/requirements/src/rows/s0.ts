import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of document S0: output pipeline. */
export const s0: readonly Row[] = [
  ...section('S0 output pipeline / Chunked writers', {
    'S0-01 stdout/one-write-a-string':
      '[stdio] stdout writer sends a string in one write, whatever its length, in order, nothing lost or repeated (lengths 0, 1, 1999, 2000, 2001, 1 MB). The seed cuts it into slices of 2000 characters, which is a system call for each and serves no reader.',
    'S0-02 stderr/whole-and-in-order':
      '[headless] what is written to stderr, the log of a turn included, is whole and in order at the same lengths.',
    'S0-03 stdout/frame-bytes-contiguous':
      '[stdio] the bytes of one frame are contiguous on the pipe, surrogate pairs included, however the pipe takes them.',
  }),
  ...section('S0 output pipeline / AsyncMessageQueue (producer/consumer)', {
    'S0-04 outbound/yields-in-order':
      '[core] implements the async iterator protocol; `for await` yields items in enqueue order.',
    'S0-05 outbound/iterated-once':
      '[core] may be iterated once; the second `[Symbol.asyncIterator]()` throws "Stream can only be iterated once".',
    'S0-06 outbound/buffered-at-once': '[core] `next()` with buffered items resolves at once with the oldest.',
    'S0-07 outbound/next-waits':
      '[core] `next()` on an empty open queue waits; the next `enqueue` resolves that same promise (nothing is buffered).',
    'S0-08 outbound/buffers-without-reader': '[core] `enqueue` without a waiting reader buffers.',
    'S0-09 outbound/end-keeps-buffered':
      '[core] `done()` resolves a waiting reader with `{done:true}`; buffered items are still delivered before the end.',
    'S0-10 outbound/end-then-done': '[core] `next()` after `done()` with an empty buffer gives `{done:true}`.',
    'S0-11 outbound/error-after-items':
      '[core] `error(e)` rejects a waiting reader; a later `next()` rejects with the same error once the buffer is empty (order: items, then done, then error).',
    'S0-12 outbound/return-cleans-up':
      '[core] `return()` marks done, runs the cleanup callback given at construction, resolves `{done:true}` (early `break`).',
    'S0-13 outbound/state-table':
      '[core] state transitions created → waiting/buffering → completed are observable (test the table).',
  }),
  ...section('S0 output pipeline / SDK loop', {
    'S0-14 turn/producer-apart-from-reader':
      '[core] producer and session runner are decoupled: the loop returns the queue, the runner iterates it.',
    'S0-15 auth-status/told-on-change':
      '[core+seam:authStatusSource] when enabled, each auth state change is enqueued as `auth_status` with `isAuthenticating`, `output`, `error`, fresh `uuid`, `session_id`.',
    'S0-16 turn/one-at-a-time':
      '[core+seam:runTurn] one turn at a time: a second `processPrompt` while one runs returns at once; queued commands are drained in order. [today: what waits may be merged into one turn, or folded into a running one; then `user_message_uuids` names all; no uuid is ever unaccounted for]',
    'S0-17 turn/own-abort-signal': '[core] every turn gets a fresh AbortController.',
    'S0-18 turn/what-it-receives':
      '[seam:runTurn] the seam receives prompt value, prompt uuid, tools+MCP tools, the MCP servers of the host (clients of its own the agent has itself, their tools among its own), canUseTool and the abort signal.',
    'S0-19 history/keeps-own-messages':
      "[core+seam:sessionStore] history keeps a message only if it is not a subagent's (`parent_tool_use_id` set on assistant/user), not a replay (`isReplay`), not a `stream_event`; everything is still enqueued to the output.",
    'S0-20 turn/exception-is-error-result':
      '[core] an exception of the turn is written as `result/error_during_execution` (`is_error:true`, `errors:[message]`, all required members) through the outbound stream, behind what is queued; the stream is drained, exit 1 (the seed writes past the queue; ours keeps one writer).',
    'S0-21 turn/end-after-input-ends':
      '[core] after the turn, if input is closed, the queue completes; if input closes while idle, the queue completes at once; if it closes during a turn, only after it.',
    'S0-22 control-answer/success':
      '[core] success helper: `control_response` / `success` / `request_id` / `response` through the queue.',
    'S0-23 control-answer/error':
      '[core] error helper: `control_response` / `error` / `request_id` / `error` text through the queue.',
    'S0-24 orphan-answer/may-start-work':
      '[core] an unexpected-response callback is set on the transport; for an orphaned permission answer it may enqueue work and start processing.',
    'S0-25 turn/input-read-meanwhile':
      '[core] the input loop runs in the background, concurrently with a turn (an interrupt is served while a turn runs).',
  }),
  ...section('S0 output pipeline / Control requests served', {
    'S0-26 interrupt/aborts-the-turn':
      '[core] `interrupt`: abort the current controller if any; success answer also when idle.',
    'S0-27 initialize/registers-and-answers':
      '[core+seam:capabilities] `initialize`: register SDK MCP servers, hooks, answer capabilities; an `initialized` flag is kept [today: repeat is idempotent success].',
    'S0-28 permission-mode/set': '[core+seam:applyPermissionMode] `set_permission_mode`: update, then success.',
    'S0-29 model/set-or-default':
      '[core+seam:applyModel] `set_model`: `"default"` maps to the default model, else the given one; success.',
    'S0-30 thinking/limit-set':
      '[core+seam:applyThinking] `set_thinking…`: adjust the token limit; success [today: `set_max_thinking_tokens`].',
    'S0-31 mcp/status-listed': '[core+seam:mcpStatus] `mcp_status`: list of server states.',
    'S0-32 mcp/message-delivered':
      '[core+seam:mcpRoute] `mcp_message` from the host: find the server by `server_name`, deliver to its `onmessage` if present, answer success in either case.',
    'S0-33 rewind/answered':
      '[core+seam:rewind] rewind request: success or error answer [today: `rewind_files`; `rewind_conversation` undeclared].',
    'S0-34 control-answer/in-message-order':
      '[core] every control answer goes through the output queue (order with messages kept).',
  }),
  ...section('S0 output pipeline / Input messages', {
    'S0-35 replay/control-response-echoed':
      '[core] `control_response` on the input is echoed to the output only when replay is on, then consumed.',
    'S0-36 keep-alive/ignored-by-agent': '[core] `keep_alive` on the input is ignored.',
    'S0-37 initialize/prompt-without-it':
      '[core] a user message marks the session initialised even without `initialize`.',
    'S0-38 prompt/repeat-not-run':
      '[core+seam:sessionStore] uuid dedupe: a uuid already seen in this session (also across restart via the store) is not run again.',
    'S0-39 prompt/repeat-acknowledged':
      '[core] a duplicate with replay on is acknowledged: `{type:"user", message, session_id, uuid, isReplay:true}`.',
    'S0-40 prompt/marked-before-queued':
      '[core] a new uuid is marked processed before it is queued; messages without uuid are never deduped.',
    'S0-41 prompt/queued-and-run':
      '[core] the queued command is `{mode:"prompt", value: message.content, uuid}`; queueing triggers processing.',
    'S0-42 output/kinds-allowed':
      '[core] message kinds that may be enqueued to the output: `auth_status`, `user` (replay), `assistant`, `system`, `stream_event`, `result`, `control_response`.',
  }),
  ...section('S0 output pipeline / Session runner', {
    'S0-43 start/set-up-step': '[seam:settings] consent/initialisation step before the session (no-op by default).',
    'S0-44 start/sandbox-failure-exits':
      '[headless+seam:sandbox] sandbox initialisation failure: message on stderr, exit 1 with reason "other".',
    'S0-45 resume/session-at-needs-resume':
      '[headless] `--resume-session-at` without `--resume`: stderr error, exit 1.',
    'S0-46 resume/initial-messages':
      '[headless+seam:sessionStore] initial messages are loaded from continue/resume/teleport options.',
    'S0-47 resume/value-forms':
      '[headless] a resume value that is a session id or ends in `.jsonl` counts as "resuming".',
    'S0-48 start/no-input-exits':
      '[headless] no input, not resuming, no SDK url: stderr "Input must be provided…", exit 1.',
    'S0-49 flags/stream-json-needs-verbose':
      '[headless] `stream-json` output without `--verbose`: stderr error, exit 1.',
    'S0-50 tools/merged-without-prompt-tool':
      '[seam:runTurn] own tools are merged with MCP tools (not in enterprise mode); the custom permission prompt tool is removed from the list.',
    'S0-51 permission/surface-chosen':
      '[headless] permission prompt surface is `stdio` when an SDK url is given, else the configured tool name.',
    'S0-52 format/stream-as-produced':
      '[headless] stream-json + verbose: each message is written to the transport as it is produced.',
    'S0-53 format/collected-kinds':
      '[headless] collected messages exclude `control_response`, `control_request`, `control_cancel_request`, `stream_event`, `keep_alive`.',
    'S0-54 format-json/no-result': '[headless] json: no final result → error "No messages returned".',
    'S0-55 format-json/last-result': '[headless] json, not verbose: the final result object + newline.',
    'S0-56 format-json/verbose-array': '[headless] json, verbose: the array of collected messages + newline.',
    'S0-57 format-stream/nothing-at-end': '[headless] stream-json: nothing more is written at the end.',
    'S0-58 format-text/one-newline':
      '[headless] text, success: `result` with exactly one trailing newline added when missing.',
    'S0-59 format-text/execution-error': '[headless] text, `error_during_execution`: "Execution error".',
    'S0-60 format-text/max-turns': '[headless] text, `error_max_turns`: "Error: Reached max turns (N)".',
    'S0-61 format-text/max-budget': '[headless] text, `error_max_budget_usd`: "Error: Exceeded USD budget (N)".',
    'S0-62 format-text/structured-output-retries':
      '[headless] text, `error_max_structured_output_retries`: its fixed sentence.',
    'S0-63 format-text/no-result': '[headless] text: no result → error "No messages returned".',
    'S0-64 exit-code/follows-is-error': '[headless] exit code 1 iff the last result has `is_error`, else 0.',
    'S0-65 format/text-by-default':
      '[headless] default format is text; the three formats are selected by `--output-format`.',
  }),
  ...section('S0 output pipeline / IO factory', {
    'S0-66 prompt/string-becomes-user-line':
      '[headless] a non-blank string input becomes one user line: `session_id:""`, role user, string content, `parent_tool_use_id:null`.',
    'S0-67 prompt/blank-is-no-input': '[headless] blank or whitespace-only string → empty stream.',
    'S0-68 prompt/stream-as-is': '[headless] a stream input is used as is.',
    'S0-69 start/remote-by-url':
      '[headless] SDK url present → remote transport, else stdio; both receive the replay flag.',
    'S0-70 start/one-shot-exits-clean':
      '[headless] one-shot end to end: host writes a user line, reads frames up to `result`, process exits 0.',
  }),
  ...section('S0 output pipeline / Edges and joints', {
    'S0-71 input-end/waits-for-control-answers':
      '[core] end of input completes the queue only when no turn runs, nothing is queued **and no control request is still being answered**; an item enqueued after `done()` is handed out before the end or refused with a code, never lost.',
    'S0-72 outbound/no-unhandled-rejection':
      '[core] `return()` settles a waiting `next()`; `error()` without a reader causes no unhandled rejection.',
    'S0-73 outbound/reads-in-call-order': '[core] several `next()` in flight are settled in call order.',
    'S0-74 exit-code/follows-last-result':
      '[headless] output and exit code follow the **last `result`**, whatever non-result messages come after it; none at all: "No messages returned", exit 1.',
    'S0-75 format-text/unknown-result-fails':
      '[headless] text format with an unknown result subtype: error on stderr, exit 1, never an empty success.',
    'S0-76 format/drained-before-exit':
      '[headless] the sentences of S0-59…62 go to stdout without newline; json is encoded as frames are (S2-63), text is the text itself; both are drained before exit (8 MiB through a slow reader arrives whole).',
    'S0-77 turn/receives-history-and-options':
      "[seam:runTurn] the turn also receives history (messages loaded at resume + kept ones), slash commands, agent definitions and the run's options; tools and MCP clients are read anew at each turn.",
    'S0-78 turn/nothing-stranded':
      '[core] a command queued while the drain of the last one ends is never stranded (random interleavings, also with end of input in between).',
  }),
];
