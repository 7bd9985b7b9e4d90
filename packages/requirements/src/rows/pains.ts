import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows taken from what breaks for users of the protocol and its neighbours. */
export const pains: readonly Row[] = [
  ...section('pain 1: Messages lost around a reconnect', {
    'R-1.1 log/dense-sequence':
      'Every event of a session gets a dense, strictly increasing sequence number from the ingress before it is sent to anybody; SSE uses it as `id:`, WS carries it in an envelope which is never written into the payload.',
    'R-1.2 resume/exactly-what-follows':
      "Resume with cursor N yields exactly the events N+1…; property test: for any interleaving of sends, socket cuts (at every byte), and resumes, the consumer's list equals the producer's list (no loss, no duplicate, same order), for WS and for SSE+POST.",
    'R-1.3 resume/verdict-first':
      'On resume the server states a verdict first: `ok` (continuity proven) or `gap{from,to,reason}` (evicted, unknown cursor, other epoch). A gap is a typed event, never silence. One test per reason.',
    'R-1.4 cursor/advances-when-handed-over':
      'The cursor the library offers for persistence advances only when the consumer has been handed the message (a `break` between two messages loses none and repeats none).',
    'R-1.5 stream/priming-frame':
      'A priming frame with a resumable id is sent before any content (a cut before the first event is resumable).',
    'R-1.6 send/never-dropped-silently':
      '`send()` on a link that is down either queues (bounded) or rejects with a typed error; it never returns success for a dropped message. Test: 0 silent drops, counter `dropped` = 0 or an error was thrown.',
    'R-1.7 send/kept-until-acknowledged':
      'Outbound messages carry ids and are kept until the peer acknowledges; after reconnect only unacknowledged ones are sent again; the receiver dedupes by id.',
  }),
  ...section('pain 2: The link drops and never comes back', {
    'R-2.1 retry/one-table':
      'One table in the docs and in code: close code / HTTP status → {retry now, retry with backoff, refresh credentials then retry, permanent}. 1002, 1006, 1011, 1012, 1013, 408, 425, 429, 5xx are never permanent. Table-driven test.',
    'R-2.2 retry/backoff-and-sleep':
      'Backoff with jitter, first retry immediate, cap configurable; a wall-clock jump larger than the cap resets the budget (fake-clock test: 8 h sleep does not exhaust it).',
    'R-2.3 retry/permanent-end-told':
      'No terminal state without an event `closed{code,reason,permanent:true,hint}` and a non-zero exit in the CLI (CL ts 0.3.142 had to fix "exits 0").',
    'R-2.4 session/same-id-after-restart':
      'Same session id across reconnects and across restart of either side when the log is durable.',
    'R-2.5 retry/retry-after-honoured': '`retry-after` (header, `retry:` field, close reason) is honoured.',
  }),
  ...section('pain 3: Control channel closed too early', {
    'R-3.1 input-end/deferred-until-idle':
      '`endInput()` is deferred until: prompt iterable finished AND no pending inbound or outbound control request AND session idle AND no live background task, whether or not a handler could be asked; policy is a pure function of protocol state with a truth-table test.',
    'R-3.2 input-end/late-requests-answered':
      'Scenario tests with the fake agent: MCP initialise after the user message; hook after result; background task notification after result; permission 5 s after the iterable ended. In all of them the response is delivered.',
    'R-3.3 close/pending-policy':
      'Closing with pending requests is explicit: `close({pending:"reject"|"drain", timeout})`.',
  }),
  ...section('pain 4: Unknown types and fields', {
    'R-4.1 unknown/delivered-as-unknown':
      'An unknown `type`, `subtype`, content block or enum value never throws and never disappears: it is delivered as `{kind:"unknown", raw}`; unknown fields survive parse → serialise byte-for-value.',
    'R-4.2 messages/round-trip':
      'Round trip property: for every recorded corpus line, `decode(encode(decode(line)))` deep-equals `decode(line)`.',
    'R-4.3 invalid/field-or-message':
      'Invalid *optional* field: field dropped with a diagnostic; invalid *required* field: that message becomes an `invalid` event with path and raw line; the stream goes on. Modes `lenient` (default) / `strict` (for validators).',
    'R-4.4 unknown/request-refused-at-once':
      'Unknown inbound control_request is answered with a control error at once (never left pending).',
    'R-4.5 unknown/drift-report': 'A drift report: `validate`/`inspect` lists unknown things seen, with counts.',
  }),
  ...section('pain 5: Line and buffer limits', {
    'R-5.1 framing/linear-time':
      'Framer is linear: 32 MiB single line in 64 KiB (and 1 KiB) chunks under 150 ms on the reference machine; ratio time(32)/time(4) < 12.',
    'R-5.2 framing/limit-per-frame':
      'Limit per *frame* (default 64 MiB, configurable, `Infinity` allowed); several frames in one chunk never count together.',
    'R-5.3 framing/too-large-discarded':
      'An oversized frame yields one `frame_too_large{bytes,limit,head}` event, its bytes are discarded as they arrive (memory bounded), and the next line is delivered.',
    'R-5.4 framing/error-names-option': 'The event names the option to raise (actionable text).',
    'R-5.5 framing/utf8-cut-anywhere':
      'UTF-8 split at every byte position of a corpus with 1–4 byte characters decodes identically; BOM, CRLF, blank and whitespace-only lines are accepted (cc#77631).',
  }),
  ...section('pain 6: Dead peer not observable, requests never settle', {
    'R-6.1 end/one-reason':
      'Exactly one terminal reason per connection, available as `closed` promise, `signal.reason` and event: {exit code, signal, stderr tail (bounded), transport error, protocol error}.',
    'R-6.2 end/rejects-pending-at-once':
      'Within one tick of the terminal reason every pending request rejects with that reason; no pending entry remains (assert map size 0).',
    'R-6.3 spawn/failure-rejects-fast': 'Spawn failure rejects `connect()` in < 100 ms.',
    'R-6.4 send/refused-after-close': 'Writes after close reject on every write path (sync, async, iterable feed).',
    'R-6.5 end/no-unhandled-rejection':
      'No unhandled rejection in any of the above (test runs with `--unhandled-rejections=strict`).',
    'R-6.6 request/deadline':
      'Every control request has an optional deadline; the initialise deadline error includes what was received so far.',
  }),
  ...section('pain 7: Orphans, zombies, never-exiting processes', {
    'R-7.1 spawn/whole-group-ends':
      'stdio transport: own process group / job; close = end input → grace → SIGTERM → grace → SIGKILL to the *group*; resolves only when the exit is confirmed; never signals itself or its own group (regression test of ts#46).',
    'R-7.2 spawn/dies-with-parent':
      'Parent death kills the child: test by SIGKILL of the host; child gone in < 3 s (stdin EOF watch plus a watchdog helper or pdeathsig where possible).',
    'R-7.3 spawn/no-leaks':
      'pid exposed; `kill()` idempotent; leak test: 200 open/abort cycles leave 0 children and 0 handles.',
    'R-7.4 spawn/ended-after-result':
      'Post-result grace option: when `result` was seen and the process does not exit within T, it is ended and the run still reports success with `forced:true`.',
    'R-7.5 spawn/abort-any-time':
      '`abort` before spawn finishes, during spawn, and after exit: three tests, no throw, no orphan.',
  }),
  ...section('pain 8: Permission prompts: lost, stale, raced', {
    'R-8.1 permission/open-ones-shown-late':
      'Pending control requests are server state, not a broadcast: any client that attaches (late, after refresh, after server restart with durable log) receives all open ones exactly once, marked `replayed`.',
    'R-8.2 permission/first-answer-wins':
      'First valid answer wins atomically; all other viewers get `control_resolved{request_id, by, outcome}`; later answers get a typed `already_resolved` reply and have no effect.',
    'R-8.3 permission/cancel-everywhere': 'Cancel (`control_cancel_request`) removes the prompt everywhere.',
    'R-8.4 permission/answer-out-of-band':
      'A handler may answer later out of band (return "deferred" + `respond(requestId, …)`).',
    'R-8.5 permission/disconnect-never-denies':
      'Disconnection alone never denies: configurable `onDisconnect: hold|deny|timeout(ms)`, default hold.',
    'R-8.6 permission/races-one-outcome':
      'Race tests: local and remote answer in the same tick; answer crossing a cancel; answer crossing a disconnect; 10 000 random schedules → exactly one outcome each.',
  }),
  ...section('pain 9: Turn over versus session idle', {
    'R-9.1 state/turn-and-session':
      'A state tracker in core (pure reducer over messages) with two independent outputs: `turn` (settled per user message uuid / origin) and `session` (running | idle | requires_action), level-based, from all known signals, working also when the opt-in event is absent.',
    'R-9.2 state/expected-orders':
      'Fixtures: two results; result before assistant on resume; task started/updated/notification orders; interrupted turn; held-back result. Expected states are part of the conformance corpus.',
    'R-9.3 turn-end/later-messages-kept':
      'Iterating "until turn end" never drops messages which follow; they are delivered to the session iterator.',
  }),
  ...section('pain 10: No specification, no schema, no conformance', {
    'R-10.1 specification/generated':
      'Published versioned spec (message catalogue, framing grammar, control state machines, transport bindings, close codes) generated from the zod schemas; JSON Schema files in the package; docs test fails when schema and text differ.',
    'R-10.2 conformance/scenarios-by-command':
      "`conformance agent|host|server` runs language-neutral scenarios against a command or URL; exit codes and expected-failures file as in MCP's suite (unexpected pass also fails).",
    'R-10.3 messages/fixtures-each-type': 'Every message type has ≥ 1 valid and ≥ 3 invalid fixtures.',
  }),
  ...section('pain 11: Cannot run remotely / serve to web', {
    'R-11.1 transport/one-contract-suite':
      'Public `Transport` contract + contract test kit; the same host program passes the same suite over stdio, WS, SSE+POST, in-memory pair, and `ssh host cmd`.',
    'R-11.2 serve/one-command':
      '`serve -- <agent cmd>` exposes any stream-json agent over WS and SSE+POST with one command; `connect <url>` makes it look like stdio again (transparent: byte-equal NDJSON for the corpus).',
    'R-11.3 interop/published-clients':
      'The official browser SDK and the official CLI with `--sdk-url` interoperate with our server (recorded interop test).',
  }),
  ...section('pain 12: Token expiry and refresh', {
    'R-12.1 credentials/asked-when-needed':
      'Credentials are a provider `(reason) => Promise<Credential>` asked at connect, before expiry (leeway), and after 401; never cached beyond it. 401 → refresh once → retry the same request; a second 401 → backoff and event, not exit, where a link was up before; the end where none ever was.',
    'R-12.2 credentials/single-flight': 'Single flight: 50 concurrent 401s cause one refresh.',
    'R-12.3 credentials/rotation-loses-nothing':
      'Rotation never changes session identity nor drops queued messages (test with a server that expires tokens every 50 ms during a 10 000-message run).',
    'R-12.4 credentials/source-read-again':
      'Env/file providers re-read their source; in-band env update message supported and scoped (never mutates `process.env` unless opted in).',
  }),
  ...section('pain 13: Idle cuts and half-open sockets', {
    'R-13.1 keep-alive/server-interval':
      'Server writes a byte at once and a keep-alive at most every 15 s (default) on idle streams, comment or `keep_alive` frame; never advances or clears the cursor; `X-Accel-Buffering: no`, `Cache-Control: no-cache, no-transform`, no compression buffering.',
    'R-13.2 keep-alive/stale-link-found':
      'Client declares a link stale after N missed intervals although the socket says OPEN; test with a proxy that black-holes after handshake; reconnect starts within interval×2.',
    'R-13.3 keep-alive/probe-after-sleep':
      'After a wall-clock jump the client probes before it judges (no false timeout) and reconnects if the probe fails.',
    'R-13.4 network/faults-by-proxy':
      'Test proxy kit: idle cut after T, header withholding, chunk coalescing, mid-frame cut, slow drip, 1-byte chunks, RST vs FIN.',
  }),
  ...section('pain 14: Version drift', {
    'R-14.1 capabilities/absent-fails-fast':
      'Capability set negotiated at initialise (feature names, not version compare); absent capability → the API call fails fast with `unsupported{capability, since}`.',
    'R-14.2 drift/corpus-per-version':
      'Corpus recorded per CLI version; CI runs the newest N versions and reports the schema difference; the package states the tested range.',
    'R-14.3 doctor/verdict': '`doctor` prints binary path, version, tested range, capabilities and a one-line verdict.',
  }),
  ...section('pain 15: stdout polluted, truncated, mis-split', {
    'R-15.1 line/split-on-lf-only':
      'Split only on 0x0A bytes; encoder escapes U+2028/2029 (and lone surrogates) so foreign readers survive.',
    'R-15.2 line/noise-never-throws':
      'A non-JSON line becomes a `noise{line}` event (default: logged at debug, counted), never a throw; JSON that is not an object likewise.',
    'R-15.3 stdout/console-redirected':
      'Agent side owns stdout: `redirectStdout()` redirects console.* to stderr so that only frames are written.',
    'R-15.4 stdout/drained-before-exit':
      'Our CLI never calls `process.exit` before stdout has drained: 8 MiB result through `| (sleep 2; wc -c)` arrives whole, for exit 0 and ≠ 0.',
  }),
  ...section('pain 16: Duplicates → poisoned history', {
    'R-16.1 dedupe/window-by-acknowledgement':
      'Dedupe by id with a window tied to the acknowledgement cursor, not to a fixed count (test: 100 000 resolutions then a duplicate of the first unacknowledged one).',
    'R-16.2 dedupe/ingest-idempotent': 'Ingest is idempotent: re-posting a batch changes nothing.',
    'R-16.3 dedupe/replay-not-appended': 'A replayed frame is marked and never appended again.',
  }),
  ...section('pain 17: Interrupt and cancel', {
    'R-17.1 interrupt/receipt':
      '`interrupt()` returns a typed receipt (accepted | nothing_running | not_ready, still queued uuids) and never reports success before it is known.',
    'R-17.2 interrupt/before-initialize': 'Interrupt sent before init is held and applied, or rejected — tested.',
    'R-17.3 interrupt/cancelled-is-outcome': 'Cancelled is an outcome, not an error.',
    'R-17.4 request/one-cancel-on-abort':
      'AbortSignal of a request sends one cancel, rejects at once, and a late response is swallowed and counted.',
    'R-17.5 request/handler-signal-fires': 'Cancelled handlers on the other side see their `signal` fire.',
    'R-17.6 turn/no-state-leaks': 'No state of turn n leaks into n+1 (fencing by turn id).',
  }),
  ...section('pain 18: Gateways crash on the second client', {
    'R-18.1 gateway/survives-bad-clients':
      'No exception of one connection can end the process or the child (fuzz: malformed upgrade, abort mid-POST, double connect, 1000 reconnects).',
    'R-18.2 gateway/agent-exit-told':
      'Child death is reported to each client as protocol (`agent_exited{code,stderr}`) and to HTTP as 502-class JSON, within 1 s.',
    'R-18.3 gateway/restart-with-backoff': 'Optional restart policy with backoff.',
    'R-18.4 gateway/unknown-session': 'Unknown session → 404 with machine code; client re-initialises when allowed.',
  }),
  ...section('pain 19: Deadlock and backpressure', {
    'R-19.1 back-pressure/read-before-write':
      'Reading starts before the first write; test child bursts 256 KiB (and 8 MiB) before reading stdin while we push 8 MiB.',
    'R-19.2 back-pressure/bounded-memory':
      '`send()` resolves on drain; outbound queue has byte high-water mark and policy (await | error | drop-ephemeral); RSS bounded in a stalled-consumer test (1 GiB offered, < 64 MiB growth).',
    'R-19.3 back-pressure/slow-viewer-alone':
      'A slow viewer never slows the agent nor other viewers: it is moved to catch-up from the log, then disconnected with a reason.',
    'R-19.4 order/single-writer': 'Order: a control_request never overtakes queued messages; single writer, fuzzed.',
  }),
  ...section('pain 20: No fakes, no recordings', {
    'R-20.1 testing/fakes-and-clock':
      '`@proto/testing`: scriptable fake agent and fake host (in process and as a binary named as the real one), virtual clock, fault injection.',
    'R-20.2 recording/record-and-replay':
      '`record` produces one documented JSONL container (direction, monotonic time, raw bytes kept, redaction list); `replay` serves either side, at speed ×k or step by step, and fails on divergence with a readable diff.',
    'R-20.3 recording/replay-records-same': 'Recording a replay gives the same recording (modulo time).',
  }),
  ...section('pain 21: Windows', {
    'R-21.1 windows/nothing-secret-on-argv':
      'Nothing large or secret on argv: prompt, system prompt, agents, MCP config by stdin.',
    'R-21.2 windows/finds-exe-and-shims':
      'PATHEXT resolution prefers .exe, resolves npm shims to their script and runs them with node, never through a shell; refuses .cmd otherwise with a hint.',
    'R-21.3 windows/no-console-window': '`windowsHide`.',
    'R-21.4 windows/crlf': 'CRLF corpus green.',
    'R-21.5 windows/dash-values': 'dash-leading values passed as `--flag=value`.',
  }),
  ...section('pain 22: EPIPE and write after end', {
    'R-22.1 pipe/no-uncaught-error':
      '`error` listeners on every stream before the first write; `/bin/false` as the agent gives a rejected promise, never `uncaughtException`.',
    'R-22.2 pipe/quiet-when-cut': 'Our CLI piped into `head -1` exits 0 silently (or 141), no stack.',
  }),
  ...section('pain 23: Fail-open', {
    'R-23.1 permission/only-allow-allows':
      'Any outcome other than a valid explicit allow — timeout, cancel, close, parse error, unknown value — is delivered as *not allowed* (`deny` / `cancelled`), table test.',
    'R-23.2 permission/reason-told-apart': "The reason is distinguishable from a user's refusal.",
  }),
  ...section('pain 24: Delivery state of user messages', {
    'R-24.1 delivery/states-once':
      '`sendUser()` returns a handle with states accepted → delivered → started → done | cancelled | lost; each transition at most once, durable across reconnect.',
    'R-24.2 delivery/echo-or-report': 'Works with echo (`--replay-user-messages`) and with delivery reports.',
  }),
  ...section('pain 25: Security of local servers', {
    'R-25.1 security/safe-defaults':
      'Default bind 127.0.0.1, random token required (constant-time compare), Host allow-list on HTTP *and* upgrade, Origin checked and fail-closed when a browser header set is present; disabling needs an env/flag named `dangerously…`.',
    'R-25.2 security/rebinding-refused': 'Rebinding test: Origin = Host = evil → 403.',
    'R-25.3 security/limits': 'Body, header, frame, connection and rate limits.',
    'R-25.4 security/token-hidden':
      'Token never in logs; browser EventSource path uses a short-lived one-time ticket instead of the token in the URL.',
  }),
  ...section('pain 26: Several viewers', {
    'R-26.1 viewers/roles': 'Roles per connection: driver, approver, viewer(read-only); enforced on the server.',
    'R-26.2 viewers/same-sequence': 'N viewers see the same sequence; join late = snapshot or full replay.',
    'R-26.3 viewers/one-worker':
      'One agent per session enforced by an epoch/fence: the older worker gets a typed `superseded` close.',
    'R-26.4 viewers/attribution': 'Attribution: who answered, who sent.',
  }),
  ...section('pain 27: Memory growth', {
    'R-27.1 memory/soak': 'Soak: 1 million messages, 100 000 control requests, heap growth < 5 MiB after GC.',
    'R-27.2 memory/no-listener-leak': 'No listener accumulates on a shared AbortSignal.',
  }),
  ...section('pain 28: Error detail lost', {
    'R-28.1 errors/code-and-cause': 'Error classes with stable `code`, `cause`, data; stderr tail included',
    'R-28.2 errors/who-aborted': 'who aborted (user, timeout, peer, signal) is recorded.',
  }),
  ...section('pain 29: Silent stream', {
    'R-29.1 liveness/measured-on-bytes':
      'Liveness is separate from content: `lastByteAt`, `lastMessageAt`, keep-alives; watchdog option measured on bytes, with event before action.',
  }),
  ...section('pain 30: One event model over many CLIs', {
    'R-30.1 events/one-model':
      'Adapter packages map each format into the same messages, keep the raw record, and mark what is synthesised.',
    'R-30.2 events/one-consumer': 'Mixed fixtures processed by one consumer without branching.',
  }),
  ...section('pain 31: Wire visibility', {
    'R-31.1 inspect/both-directions':
      '`inspect` shows both directions, pairs requests with responses, latencies, sizes, unknowns; nothing written to stdout of the bridged program.',
    'R-31.2 inspect/tap-hook': 'A tap hook in core `(direction, bytes, message)` with < 3 % overhead when absent.',
  }),
  ...section('pain 32: Weight and runtimes', {
    'R-32.1 weight/small-core':
      '`@proto/core` ESM, no Node built-in, ≤ 15 kB min+gz without zod; framer alone ≤ 2 kB and zero dependencies.',
    'R-32.2 runtimes/same-suite': 'Same test suite on Node 20/22/24, Bun, Deno, workerd, browser.',
  }),
  ...section('pain 33: Proxies', {
    'R-33.1 proxy/variables-honoured': '`HTTP(S)_PROXY`/`NO_PROXY`/custom CA honoured for SSE, POST and WS.',
    'R-33.2 transport/fallback-to-sse':
      'Automatic fallback WS → SSE+POST when the upgrade fails, same session and cursor.',
  }),
  ...section('pain 34: Secrets', {
    'R-34.1 redact/no-leaks':
      'Redactor on by default in logs, inspector and recordings (headers, tokens, env values, configurable JSON paths); test corpus of 30 secret shapes: 0 leaks.',
  }),
  ...section('pain 35: Snapshots and partials', {
    'R-35.1 assemble/deltas-folded':
      '`assemble()` folds `stream_event` deltas into messages and dedupes against the final message by message id; identical text with and without partials.',
  }),
  ...section('pain 36: Environment inheritance', {
    'R-36.1 environment/policy':
      'stdio transport takes an explicit env policy (`inherit | allowlist | replace`) and strips nested-session variables by default, documented.',
  }),
];
