import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of document S2: StructuredIO, RemoteIO, print, exit. */
export const s2: readonly Row[] = [
  ...section('S2 StructuredIO, RemoteIO, print, exit / Line protocol', {
    'S2-01 input/lines-in-and-out': '[core] NDJSON in and out: stdin lines → parsed messages; messages → stdout lines.',
    'S2-02 input/camel-case-ids':
      '[core] each parsed message passes control-key normalisation (camelCase ids accepted).',
    'S2-03 input/blank-lines-skipped': '[core] blank lines are swallowed.',
    'S2-04 keep-alive/never-yielded': '[core] `keep_alive` is swallowed.',
    'S2-05 environment/updated-in-place':
      '[core+seam:env] `update_environment_variables` is applied in place, never yielded; purpose: refresh of the session token [today: allow-list].',
    'S2-06 input/parse-failure-exits':
      '[core+seam:exit] a parse failure logs an error and exits 1 (hard stop instead of a corrupt transcript).',
    'S2-07 input/request-missing-exits': '[core+seam:exit] `control_request` without `request`: exit with a message.',
    'S2-08 input/wrong-role-exits': '[core+seam:exit] `user` message whose role is not `user`: exit with a message.',
    'S2-09 input/history-unchanged':
      '[core] `assistant` and `system` lines from the host are yielded unchanged (replay of history).',
    'S2-10 diagnostics/type-without-content':
      '[core] a diagnostic event with the message type is logged for each parsed message, without content.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / Queue, pending, memory', {
    'S2-11 order/request-never-overtakes':
      '[core] one outbound stream shared by sendRequest and the main loop; a single drain writer; a `control_request` never overtakes an earlier `stream_event`.',
    'S2-12 request/own-id': '[core] sendRequest takes an optional explicit request id (default random UUID).',
    'S2-13 request/abort-through-queue':
      '[core] abort: cancel frame is enqueued (not written around the queue), tool id remembered, promise rejected without waiting for the host.',
    'S2-14 request/late-answer-ignored': '[core] a late response after an abort is ignored by the orphan handler.',
    'S2-15 tool-memory/permissions-only':
      '[core] resolvedToolUseIds records the tool id of every `can_use_tool` that settles or aborts; other subtypes are not recorded.',
    'S2-16 tool-memory/last-100000':
      '[core] the memory of resolved tool ids has the last 100 000, the oldest is forgotten first (the cap of 1000 of the seed caused duplicates).',
    'S2-17 duplicate-answer/dropped':
      '[core] a duplicate `control_response` (no pending, `response.toolUseID` remembered) is dropped: no callback, no duplicate assistant message.',
    'S2-18 orphan-answer/callback-awaited': '[core] other orphans go to the unexpected-response callback, awaited.',
    'S2-19 prompt/closed-by-answer-uuid':
      "[core] a `control_response` with a string `uuid` closes that uuid's lifecycle as completed, also for duplicates and orphans.",
    'S2-20 request/error-answer-rejects':
      '[core] an error response rejects with its text; a success validates; without a schema see S1-13.',
    'S2-21 replay/matched-answer-yielded':
      '[core] see S2-77 (with replay on, a matched success response is also yielded).',
    'S2-22 permission/sent-callback': '[core] onControlRequestSent fires for `can_use_tool` only, after enqueueing.',
    'S2-23 permission/resolved-callback':
      '[core] onControlRequestResolved fires for `can_use_tool` only, with the request id, before the promise settles.',
    'S2-24 worker-state/null-by-default':
      '[core] restoredWorkerState is a promise that defaults to null and is set by a restoring transport.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / read() and prepend', {
    'S2-25 prepend/before-the-rest': '[core] prepended lines are consumed before the rest of the current content.',
    'S2-26 prepend/within-a-block': '[core] a prepend between two messages of the same block still lands first.',
    'S2-27 prepend/on-empty-input':
      '[core] an empty input still delivers prepended lines (processing runs once before the loop).',
    'S2-28 prepend/user-turn': '[core] prependUserMessage injects a synthetic user turn mid-stream.',
    'S2-29 input-end/processes-and-rejects':
      '[core] end of input: rest processed, inputClosed set, all pending rejected (a permission with the fixed text of S1-04).',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / createCanUseTool', {
    'S2-30 permission/hook-before-call':
      '[core] a decision that the turn forces replaces the local check; what a hook ahead of the call decides replaces either, but for a denial.',
    'S2-31 permission/ask-goes-to-host':
      '[core+seam:localPermissionCheck] `allow`/`deny` short-circuits; `ask` goes on with suggestions, blocked path, decision reason.',
    'S2-32 permission/hooks-beside-host':
      '[core+seam:permissionRequestHooks] hooks and the host request start concurrently; the host request is on the wire before any hook finishes.',
    'S2-33 permission/hook-answers-first':
      '[core] hook decides first: host request aborted (cancel frame), its rejection swallowed, hook decision returned.',
    'S2-34 permission/hook-undecided': '[core] hook ends without decision: wait for the host.',
    'S2-35 permission/host-answers-first': '[core] host first: its answer is used, the hook result is ignored.',
    'S2-36 permission/hooks-never-reject': '[core] the hook promise never rejects the race.',
    'S2-37 permission/parent-abort-forwarded':
      '[core] parent abort is forwarded to the local controller; the listener is removed afterwards.',
    'S2-38 permission/prompt-told-before-sent':
      '[core] onPermissionPrompt receives the details (tool, input, toolUseID, requestId) before the request is sent; the same requestId is used on the wire.',
    'S2-39 permission/reason-as-text': '[core] decision_reason is serialised to text.',
    'S2-40 permission/host-answer-applied':
      '[core] the host answer is validated by the permission result schema and mapped with tool, input, context (applies updatedPermissions, updatedInput).',
    'S2-41 sandbox/network-ask':
      '[core+seam:sandbox] sandbox network ask: `can_use_tool` with the reserved tool name, `input:{host}`, random tool_use_id, description "Allow network connection to <host>?"; true only on allow, false on any failure.',
    'S2-42 request/one-primitive':
      '[core] createHookCallback, handleElicitation, sendMcpMessage are the same primitive with other schemas.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / injectControlResponse', {
    'S2-43 injection/nothing-pending': '[core] no request id or no pending → no effect.',
    'S2-44 injection/cancels-at-host':
      '[core] remembers the tool id, deletes the pending, writes `control_cancel_request` to the host.',
    'S2-45 injection/settles-request':
      '[core] then rejects (error) or validates and resolves (success), `{}` without schema.',
    'S2-46 injection/host-answer-is-duplicate': '[core] the later real host answer is ignored as a duplicate.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / RemoteIO', {
    'S2-47 remote/transport-is-input':
      '[core/ccr] RemoteIO = StructuredIO over a pass-through; transport data → input; transport close → input end.',
    'S2-48 remote/headers':
      '[ccr] headers: Bearer session token (error log when missing) and `x-environment-runner-version` when the env var is set.',
    'S2-49 remote/headers-read-again': '[ccr] refreshHeaders re-reads both at reconnect.',
    'S2-50 transport/chosen-by-url': '[core] transport is chosen by URL (+ session id) through a factory.',
    'S2-51 transport/worker-protocol-needs-sse':
      '[ccr] `CLAUDE_CODE_USE_CCR_V2` truthy requires the SSE transport, else throws naming the mismatch.',
    'S2-52 worker/ready-before-connect':
      '[ccr] the CCR client is created before `connect()` (early acks must not be lost).',
    'S2-53 worker/failed-start-exits':
      '[ccr] init promise → restoredWorkerState (null on failure); failure is logged with its reason and ends the process with code 1.',
    'S2-54 transcript/internal-events':
      '[ccr+seam:internalEvents] transcript entries are written as internal events; readers for foreground and subagent events are registered for resume.',
    'S2-55 delivery/processing-and-processed':
      '[ccr] lifecycle `started` → delivery `processing`, `completed` → `processed`, by uuid.',
    'S2-56 worker/state-and-metadata':
      '[ccr] session state changes → reportState(state, details); metadata → reportMetadata.',
    'S2-57 worker/writes-go-through': '[core] write goes to the CCR client when present, else to the transport.',
    'S2-58 bridge/echoes-requests':
      '[headless] bridge mode echoes every `control_request` to stdout (all messages in debug) with the safe stringifier.',
    'S2-59 keep-alive/bridge-timer': '[ccr] keep_alive frames on a timer only in bridge mode and with interval > 0.',
    'S2-60 transcript/flush-and-pending':
      '[ccr] flushInternalEvents / internalEventsPending delegate to the CCR client.',
    'S2-61 close/stops-and-releases':
      '[core] close(): clear the timer, close the transport, end the input; cleanup also closes the CCR client.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / ndjsonSafeStringify, exit, print', {
    'S2-62 line/separators-escaped':
      '[core] U+2028/U+2029 are written as `\\u2028`/`\\u2029`; the output parses to the same value; no other change.',
    'S2-63 line/every-writer-escapes': '[core] every outgoing line uses it (stdio, echo, remote).',
    'S2-64 host/skips-non-json': '[host] a host must skip a non-JSON line instead of failing.',
    'S2-65 cli/error-exit': '[headless] cliError(msg?): stderr, exit 1, typed `never`, works when exit is stubbed.',
    'S2-66 cli/success-exit':
      '[headless] what a command prints in place of its work (`--version`, `--help`, `--explain-flags`) goes to stdout with a newline, exit 0. The seed has a helper for that, cliOk.',
    'S2-67 permission/check-chosen':
      '[core] getCanUseToolFn: `stdio` → createCanUseTool; undefined → local rules only (or what the turn forces, or hooks say); other → custom prompt tool.',
    'S2-68 permission/prompt-tool-looked-up-late':
      '[core+seam:runTurn] custom permission prompt tool: looked up lazily at first use, raced with abort.',
    'S2-69 flags/options-one-to-one':
      '[headless] runHeadless options map one to one to flags: continue, resume, resumeSessionAt, verbose, outputFormat, jsonSchema, permissionPromptToolName, allowedTools, thinkingConfig, maxTurns, maxBudgetUsd, taskBudget, systemPrompt, appendSystemPrompt, userSpecifiedModel, fallbackModel, teleport, sdkUrl, replayUserMessages, includePartialMessages, forkSession, rewindFiles, enableAuthStatus, agent, workload, setupTrigger.',
    'S2-70 settings/changes-apply':
      '[headless+seam:settings] settings changes are applied during a headless session, also while a turn runs; fast mode is announced as the settings have it, and counts as on only where it is not opted into per session.',
    'S2-71 settings/download-beside-set-up':
      '[headless+seam:settings] settings download overlaps with setup in remote mode.',
    'S2-72 start/exit-after-first-render':
      '[headless] exit-after-first-render mode prints the startup time and exits 0 (test aid).',
    'S2-73 mcp/servers-reconciled':
      '[core+seam:mcpRoute] `mcp_set_servers`: reconcile a dynamic server list (added, removed, errors).',
    'S2-74 format/handled-in-one-place':
      '[headless] output formats json/text/stream-json handled in one place; StructuredIO chosen without, RemoteIO with an SDK url.',
    'S2-75 start/one-line-in-ndjson-out':
      '[headless] acceptance exercise of the seed: piping one user JSON line into the CLI with `--print` and stream-json yields assistant NDJSON on stdout; with debug on, the per-message diagnostic appears.',
    'S2-76 stdout/frames-only':
      '[core] headless stdout carries nothing but frames: no other writer (UI, logs) shares it.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / Edges and joints', {
    'S2-77 replay/success-only':
      '[core] with replay on, only a matched **success** response is yielded; error, duplicate and orphan never are.',
    'S2-78 duplicate-answer/error-by-id':
      '[core] a late or second **error** response (it has no toolUseID) is recognised by request id and never reaches the orphan handler as new work.',
    'S2-79 initial-lines/over-sse':
      '[ccr] initial prompt lines and the replay flag work over SSE + POST as over WebSocket.',
    'S2-80 worker-state/restored-before-turn':
      '[ccr] restored external metadata is offered to the session before the first turn (model, permission mode, pending action); null changes nothing.',
    'S2-81 transcript/flushed-before-idle':
      "[ccr] internal events are flushed at each turn's end, before `idle` is reported and before exit; `pending` reads 0 then.",
    'S2-82 resume/rebuilt-from-transcript':
      "[ccr+seam:sessionStore] resume rebuilds the conversation from internal events: foreground, and each subagent's; an empty store starts a new one; order kept over pages.",
    'S2-83 session-state/one-report-each':
      '[core] an ask sets the session state to requires_action with the details; the first settlement, by host, hook, injection or abort, sets it back; one report each.',
    'S2-84 permission/two-approvers-one-outcome':
      '[core+ccr] one prompt, two approvers: a local host and a remote one see the same `can_use_tool`; the first answer decides, the other prompt is withdrawn (`control_cancel_request` / resolved callback); both orders, same tick, lost link: one outcome.',
    'S2-85 start/hooks-joined-before-turn':
      '[headless] `setSDKStatus` → `system/status` messages; `sessionStartHooksPromise`: SessionStart hooks start before set-up and are joined before the first turn.',
    'S2-86 clean-up/once-in-reverse':
      '[headless] clean-ups are registered, run once, in reverse order, bounded in time, at close, signal and failed init; the exit code of the first reason stays.',
    'S2-87 flags/typed-or-explained':
      '[headless] every option of S2-69 reaches `runTurn` typed; a flag that is accepted without effect is listed by `sjp agent --explain-flags`.',
  }),
  ...section('S2 StructuredIO, RemoteIO, print, exit / Requests of published hosts', {
    'S2-88 title/user-wins':
      '[core] `generate_session_title` is answered by the function of the agent, else with the first line of the description; a title by the user is never replaced; `persist` stores the title.',
    'S2-89 host-requests/answered-or-refused':
      '[core] every control request that a published host sends is answered in the form that the host expects, or refused with a code and a sentence that names the reason.',
    'S2-90 auth/status-without-session':
      '[headless] `auth status` tells as JSON or as text who is signed in, without a session, and exits with 1 for nobody.',
  }),
];
