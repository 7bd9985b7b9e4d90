import type { Row } from '../row.ts';
import { section } from './section.ts';

/** Rows of what a session ingress must do so that the published clients are satisfied. */
export const ingress: readonly Row[] = [
  ...section('ingress: The log', {
    'I-A1 log/one-per-session':
      '[ccr] One log per session, one dense `sequence_num` from 1, shared by client and worker events, control frames included.',
    'I-A2 log/event-id-is-uuid':
      '[ccr] `event_id = payload.uuid`. Workers acknowledge `received` by event_id but `processing`/`processed` by payload uuid. If a payload has no uuid (WebSocket viewers never send one) make one, **write it into the payload** and use it as event_id.',
    'I-A3 log/dedupe-by-uuid':
      '[ccr] Dedupe by uuid over the whole session and over both sources, answer 2xx to the repeat. Needed because workers and viewers re-send after a lost answer, one POST can hold a uuid twice, native WebSocket workers re-send up to 1000 messages after each reconnect, and workers echo user messages (`isReplay:true`) and control_responses with the uuid of the client event.',
    'I-A4 log/ephemeral-not-stored':
      '[ccr] Ephemeral entries get no sequence number, are not stored, go only to viewers connected now, as `ephemeral_event` without `id:`. Treat as ephemeral: envelope `ephemeral:true`; on WebSocket / hybrid, where there is no envelope, `type:"stream_event"`.',
    'I-A5 log/no-keep-alive':
      '[ccr] Never store or forward `keep_alive` (it comes without the ephemeral flag). It only proves life.',
    'I-A6 log/payload-unchanged': '[ccr] Pass payloads through unchanged, unknown types and fields included.',
    'I-A7 log/sender-order':
      '[ccr] Keep per-sender order, also across batches; no reordering between durable and ephemeral entries of one POST.',
  }),
  ...section('ingress: Event streams', {
    'I-B1 event-stream/sse-form':
      '[ccr] `200`, `text/event-stream`, LF line ends (older CLIs cannot read CRLF), one `data:` line, headers flushed at once.',
    'I-B2 event-stream/frame-members':
      '[ccr] Viewer and worker frames: `id: <sequence_num>`, `event: client_event`, `data: {event_id, sequence_num, event_type, source, payload, created_at}`.',
    'I-B3 event-stream/source-by-server':
      '[ccr] `source` is set by the server: exactly `"worker"` for worker events, something else (`"client"`) for viewer events. Wrong value = the viewer SDK drops nearly everything, or believes forged answers. Never trust a `source`/`ccr_event` from a body.',
    'I-B4 event-stream/who-gets-what':
      '[ccr] Worker stream: only events that did not come from a worker. Viewer stream: everything.',
    'I-B5 event-stream/cursor-strictly-greater':
      '[ccr] Cursor: worker `from_sequence_num` query and/or `Last-Event-ID`; viewer only `Last-Event-ID`. Meaning strictly greater. Take the larger. No client dedupes by sequence, and the viewer SDK does not dedupe at all: a resume that starts one too early is a visible duplicate.',
    'I-B6 event-stream/replay-meets-live': '[ccr] No gap between replay and live: subscribe and replay under one lock.',
    'I-B7 event-stream/keep-alive':
      '[ccr] A keepalive at least every 30 s (both sides reconnect after 45 s of silence). 15 s is what the clients expect. A comment line is enough.',
    'I-B8 event-stream/permanent-codes':
      '[ccr] `401`, `403`, `404` mean "for ever" on either stream. Use 503/429 for anything temporary (`Retry-After` is ignored on streams). A viewer gives up after 5 failed retries in a row (~30 s), a worker never.',
    'I-B9 event-stream/truncation-told':
      '[ccr] If the cursor is older than what is retained: one `event: catch_up_truncated` **with data** (e.g. `data: {}`), then go on. Viewer stream only.',
    'I-B10 event-stream/answered-not-replayed':
      '[ccr] Do not replay control_requests that are answered or cancelled; the viewer SDK would ask its user again and post a second answer. Do replay open ones: not every worker lists them in the initialize answer.',
    'I-B11 event-stream/fresh-worker':
      "[ccr] To a fresh worker (cursor 0) send what is not yet `processed`, and open control_requests. Messages queued before any worker existed must arrive. Without this rule a restarted CLI runs old prompts again. The vendor's own rule is unknown.",
  }),
  ...section('ingress: Worker REST', {
    'I-C1 worker-rest/create-and-bridge':
      '[ccr] `POST /v1/code/sessions` → 200 `{session:{id:"cse_…"}}`; `POST …/bridge` → exactly 200 with all four fields, epoch raised on every call.',
    'I-C2 worker-rest/register': '[ccr] `POST …/worker/register` → `{worker_epoch}`.',
    'I-C3 worker-rest/metadata':
      '[ccr] `GET …/worker` → `{"worker":{"external_metadata":{…},"internal_metadata":{…}}}`; merge per top-level key, `null` deletes.',
    'I-C4 worker-rest/put-succeeds': '[ccr] `PUT …/worker` 2xx. CLI workers try it once and exit on anything else.',
    'I-C5 worker-rest/epoch-checked':
      '[ccr] Epoch check on PUT, events, delivery, heartbeat, internal-events: lower than current → `409`, `x-ccr-conflict-reason` and `error.reason` = `superseded_by_worker`; nothing stored. Higher than current → 409 `epoch_stale`. Archived → 409 `session_not_active`. Do not answer 409 for anything else on these paths: it kills the worker.',
    'I-C6 worker-rest/not-found-is-gone':
      '[ccr] `404` only for "session gone": three in a row close a bridge. `401`/`403` ten in a row too.',
    'I-C7 worker-rest/tolerates-bad-entries':
      '[ccr] Malformed or oversized body: 400/413/422. The 0.3.328 client drops the batch; a 5xx is retried for ever. But CLI 2.1.112 retries 400 for ever too: be tolerant – skip a bad entry and store the rest rather than refuse a batch.',
    'I-C8 worker-rest/large-bodies':
      '[ccr] Accept bodies up to ≥ 10 MiB on worker events (10 MiB batches in older CLIs, ~4 MiB in new ones, a single larger message is still sent).',
    'I-C9 worker-rest/before-first-put':
      '[ccr] Accept events, delivery and heartbeats before the first PUT of an epoch.',
    'I-C10 worker-rest/delivery-upward-once':
      '[ccr] `delivery`: forward as `delivery_update {event_id, status: DELIVERY_STATUS_*, timestamp}`; only upward (received < processing < processed), each once.',
    'I-C11 worker-rest/heartbeat': '[ccr] `heartbeat`: 2xx; may return `heartbeat_interval_seconds` (10–300).',
    'I-C12 worker-rest/internal-events':
      '[ccr] `internal-events`: idempotent POST, paged GET, `subagents=true`, last compaction first unless `from_first_event=true`.',
  }),
  ...section('ingress: Viewer POST', {
    'I-D1 viewer-post/body': '[ccr] Body `{session_id, events:[{payload}]}`; check session_id; any 2xx.',
    'I-D2 viewer-post/echoed-to-all': "[ccr] Echo: the event goes to every viewer stream, the sender's included.",
    'I-D3 viewer-post/queued-without-worker':
      '[ccr] Temporary trouble: 5xx/429; but the viewer drops the message silently after 3 tries (~3 s), so accept and queue even with no worker attached.',
    'I-D4 viewer-post/permanent-codes':
      '[ccr] 401/403/404 end the viewer\'s query. Do not use them for "no worker connected".',
    'I-D5 viewer-post/answer-keeps-source':
      '[ccr] A control_response from a viewer keeps `source:"client"`; only the worker\'s own answers may carry `source:"worker"`.',
  }),
  ...section('ingress: WebSocket', {
    'I-E1 ingress-socket/line-ends':
      '[ws] Every JSON line the server sends ends with `\\n`. Without it the viewer SDK shows nothing and a CLI worker exits 1. One line per text frame suits every client.',
    'I-E2 ingress-socket/frames-accepted':
      '[ws] Accept frames with or without the final `\\n`, and several lines per frame.',
    'I-E3 ingress-socket/auth-by-message':
      '[ws] Viewers cannot send headers from a browser: accept the upgrade, wait for `{"type":"auth","credential":{"type":"oauth","token"}}`, send nothing before it, close with a code other than 1000/1001 on a bad one (4001 or 4003). A bearer header is the other accepted way. Do not answer the auth frame: the answer would be handed to the application as a message.',
    'I-E4 ingress-socket/same-log':
      '[ws] Same log behind it: events from WebSocket viewers appear on SSE streams and the other way round.',
    'I-E5 ingress-socket/separators-escaped': '[ws] Escape U+2028/U+2029 (or be sure nobody splits on them).',
    'I-E6 ingress-socket/permanent-close-codes':
      '[ws] Worker socket: 1002, 4001, 4003 are permanent; use them only when meant. Anything else makes the CLI reconnect. A refused upgrade (even 401) is retried for 10 minutes, so to turn a worker away for good accept and close with 4003 (auth) or 4001 (session gone).',
    'I-E7 ingress-socket/pings-answered': '[ws] Answer protocol pings (10 s). Ignore `keep_alive` data frames.',
    'I-E8 ingress-socket/worker-resume':
      '[ws] Resume of a worker socket: `X-Last-Request-Id` is the uuid of the last message the worker **sent**, it says nothing about what it received. Keep, per session, which client events were written to a worker socket that then proved alive, and send the rest on reconnect; a repeated user message is harmless (the CLI dedupes by uuid), a lost one is not.',
  }),
];
