import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of document S1: transport layer, input side. */
export const s1: readonly Row[] = [
  ...section('S1 transport layer, input side', {
    'S1-01 session/observable-members':
      '[core] StdioTransport fields: input iterable, replay flag, parsed generator created in the constructor, pending map, inputClosed, unexpected-response callback.',
    'S1-02 input/any-chunking':
      '[core] `read()`: buffer chunks, emit one message per `\\n` line, across any chunking (1-byte chunks, several lines per chunk).',
    'S1-03 input/unterminated-last-line': '[core] `read()`: an unterminated last line is processed at end of input.',
    'S1-04 input-end/rejects-pending':
      '[core] end of input sets inputClosed and rejects every pending request: a permission with "Tool permission stream closed before response received", any other with words that speak of no tool.',
    'S1-05 output/json-and-newline': '[core] `write(message)` = JSON + `\\n`.',
    'S1-06 request/id-and-envelope':
      '[core] `sendRequest` generates a unique id and writes `{type:"control_request",request_id,request}`.',
    'S1-07 request/refused-after-input-end': '[core] `sendRequest` after input closed throws "Stream closed".',
    'S1-08 request/aborted-before-sent':
      '[core] `sendRequest` with an already aborted signal throws "Request aborted" and writes nothing.',
    'S1-09 request/abort-cancels-at-once':
      '[core] abort while waiting: writes `control_cancel_request` with the id and rejects AbortError at once.',
    'S1-10 request/cleans-up-when-settled':
      '[core] after settling, the abort listener is removed and the map entry deleted (also on rejection).',
    'S1-11 request/aborts-once': '[core] the abort listener fires at most once.',
    'S1-12 request/answer-matched-and-validated':
      '[core] a matching response: lookup, remove, validate with the schema, resolve or reject.',
    'S1-13 request/answer-without-schema':
      '[core] a success without schema resolves the payload, `{}` when there is none (seed 001: payload; seed 002: always `{}`).',
    'S1-14 request/invalid-answer-rejects': '[core] schema failure rejects the request.',
    'S1-15 websocket/same-session-as-stdio':
      '[ws] WebSocket: the same session code as stdio; only the transport differs (the seed by inheritance, ours by composition).',
    'S1-16 websocket/socket-data-is-input':
      '[ws] data from the socket is written to a pass-through input (`utf8`); socket close ends the input.',
    'S1-17 websocket/bearer-when-token':
      '[ws] `Authorization: Bearer <token>` is sent when a token exists, omitted otherwise.',
    'S1-18 websocket/connects-after-handlers': '[ws] connect is called in construction, after the handlers are wired.',
    'S1-19 websocket/closed-by-clean-up': '[ws] a cleanup handler is registered that closes the transport.',
    'S1-20 initial-lines/join-remote-input':
      '[headless] initial messages (lines) join the input of a remote session, asynchronously and over any transport: no more of them is taken than is read, and they are let go when the session is over.',
    'S1-21 websocket/close-then-end': '[ws] `close()` closes the socket, then ends the input.',
    'S1-22 transport/chosen-by-scheme':
      '[ws] transport factory: `ws:`/`wss:` → resilient WebSocket; anything else → "Unsupported protocol: x:".',
    'S1-23 permission/local-decision-unasked':
      '[core+seam:localPermissionCheck] createCanUseTool: local `allow`/`deny` returns at once, nothing on the wire.',
    'S1-24 permission/request-members':
      "[core] otherwise sends `can_use_tool` with `tool_name`, `input`, `permission_suggestions`, `blocked_path`, formatted `decision_reason`, `tool_use_id`, `agent_id`, bound to the turn's abort signal.",
    'S1-25 permission/answer-mapped':
      '[core] the answer is mapped to a permission decision (allow with updatedInput/updatedPermissions, deny with message/interrupt).',
    'S1-26 permission/failure-denies':
      '[core] any failure → deny "Tool permission request failed: <error>" with the toolUseID (fail-safe).',
    'S1-27 hook/callback-request':
      '[core] createHookCallback(id, timeout): `{type:"callback", timeout, callback}`; sends `hook_callback` with `callback_id`, `input`, `tool_use_id` (undefined when empty), with the signal.',
    'S1-28 hook/failed-callback':
      '[core] an error answer or an invalid output counts as `{}`, is logged and told (`system/informational`, tag `hook_callback_failed`), unless `onFailure:"block"`; timeout, closed input and abort do not: PreToolUse does not run the call, UserPromptSubmit blocks.',
    'S1-29 mcp/message-and-answer':
      '[core] sendMcpMessage(server, message) sends `mcp_message` and returns `mcp_response` (schema: object with any `mcp_response`).',
    'S1-30 request/pending-entry': '[core] pending entry holds request, resolve, reject, schema|null.',
    'S1-31 request/entered-before-written':
      '[core] request life cycle order: id → map → write → promise → response → cleanup (the map entry exists before the answer can arrive).',
  }),
  ...section('S1 transport layer, input side / Edges and joints', {
    'S1-32 hook/timeout-enforced':
      "[core] a hook's `timeout` (seconds) is enforced: cancel frame exactly then, outcome as S1-28.",
    'S1-33 initial-lines/never-inside-a-line':
      '[headless] initial lines never land inside a half-received line (cut the socket data at every byte).',
  }),
];
