import { requestIdOf } from '@proto/core/internal';
import { andThen } from '../event-loop.ts';
import { idOf, type JsonObject } from '../json/values.ts';
import type { EventLog, NewEvent } from '../log/event-log.ts';
import type { RateLimit } from '../rate/rate-limit.ts';
import type { ControlRequests } from './control-requests.ts';
import type { Entry, EntryRefusal } from './entry.ts';
import {
  type Initialization,
  isListed,
  MAX_PENDING_BYTES,
  notInitialized,
  type PendingFrame,
} from './initialization.ts';
import { type ClientSender, isReservedId, newEvent, ownerOf, type Sender, serverEvent, topicOf } from './sender.ts';
import { payloadOf } from './session-event.ts';

/** An event to store, with its parsed message. */
export interface PlannedEvent {
  readonly event: NewEvent;
  readonly payload: JsonObject;
}

/** The plan for one entry of a POST. */
export interface Plan {
  /** Absent if the entry is not a message. */
  readonly entry?: Entry | undefined;
  readonly refusal?: EntryRefusal | undefined;
  /** The events to store, in order. The first event is the entry itself, unless the entry is refused. */
  readonly events: readonly PlannedEvent[];
}

/** The session state that plans depend on. */
export interface PlanContext {
  readonly log: EventLog;
  readonly session: string;
  readonly requests: ControlRequests;
  readonly initialization: Initialization;
  /** How much the server's own answers may add to the log, in UTF-16 units, by session and account. */
  readonly answerRate: RateLimit;
}

/** Decides what to do with an entry of a POST, before any entry is stored. The result is a promise only if the log has to be read. */
export function planEntry(
  context: PlanContext,
  entry: Entry | EntryRefusal,
  sender: Sender,
  check: ReturnType<ControlRequests['check']>,
): Plan | Promise<Plan> {
  if (typeof entry === 'string') return { refusal: entry, events: [] };
  if (isReservedId(sender, entry.id)) return { entry, refusal: 'event_id_taken', events: [] };
  if (isAnsweredHere(entry, sender)) return planOwnAnswer(context, entry, sender);
  return andThen(isRepeat(context, entry, sender), (isRepeated) => {
    const refusal = check(entry, isRepeated);
    const isStored = refusal === undefined && isKept(entry);
    return { entry, refusal, events: isStored ? [planned(newEvent(entry, sender), entry.payload)] : [] };
  });
}

/** Whether an entry is stored. Ephemeral messages and keep-alives are not stored. */
export function isKept({ type, ephemeral }: Entry): boolean {
  return !ephemeral && type !== 'keep_alive';
}

/** Whether the server answers an entry itself: an approver's `initialize`, which is the only request that an approver may send. */
function isAnsweredHere({ type }: Entry, sender: Sender): sender is ClientSender {
  return sender.source === 'client' && sender.role !== 'driver' && type === 'control_request';
}

/** Whether the log already contains this answer from this sender. A sender repeats an answer if the HTTP reply was lost. */
function isRepeat(context: PlanContext, entry: Entry, sender: Sender): boolean | Promise<boolean> {
  if (sender.source === 'worker' || entry.type !== 'control_response') return false;
  return context.requests.answeredBy(entry) === undefined && isKnown(context, entry, sender);
}

async function isKnown({ log, session }: PlanContext, entry: Entry, sender: Sender): Promise<boolean> {
  const known = await log.find(session, entry.id);
  return known !== undefined && known.owner === ownerOf(sender) && known.topic === topicOf(entry);
}

async function planOwnAnswer(context: PlanContext, entry: Entry, sender: ClientSender): Promise<Plan> {
  const { requests, initialization, answerRate, session } = context;
  const refuse = (refusal: EntryRefusal): Plan => ({ entry, refusal, events: [] });
  const refusal = requests.checkOwn(entry);
  if (refusal !== undefined) return refuse(refusal);
  const name = `${session} ${sender.name}`;
  // The server's answers are stored, and too many would push other events out of the log.
  if (answerRate.take(name, 1) > 0) return refuse('rate_limited');
  const requestId = idOf(requestIdOf(entry.payload)) ?? '';
  const id = await answerId(session, entry.id);
  const text = initialization.answer(requestId, id, await pendingFrames(context));
  const said = text ?? notInitialized(requestId, id);
  answerRate.owe(name, said.length);
  const answer = {
    event: serverEvent(id, said),
    payload: { response: { subtype: text === undefined ? 'error' : 'success', request_id: requestId } },
  };
  // Published clients ignore the HTTP reply of a POST and wait for an answer, so the refusal is stored as an answer too.
  if (text === undefined) return { ...refuse('not_initialized'), events: [answer] };
  return { entry, events: [planned(newEvent(entry, sender, { answeredBy: 'server' }), entry.payload), answer] };
}

/** The id of the server's answer. The id is the same for each repeat of an entry, so that the answer is stored only once. */
async function answerId(session: string, entryId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`answer ${session} ${entryId}`));
  const digits = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  // A uuid of version 8, whose content may be defined freely.
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(13, 16),
    digits.slice(17, 20),
    digits.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

function planned(event: NewEvent, payload: JsonObject): PlannedEvent {
  return { event, payload };
}

async function pendingFrames({ log, session, requests }: PlanContext): Promise<readonly PendingFrame[]> {
  const frames: PendingFrame[] = [];
  let room = MAX_PENDING_BYTES;
  for (const { subtype, sequence, text, bytes } of requests.ofWorker) {
    if (!isListed(subtype) || bytes > room) continue;
    const asked = text ?? (sequence === undefined ? undefined : await textAt(log, session, sequence));
    if (asked === undefined) continue;
    frames.push({ subtype, text: asked });
    room -= bytes;
  }
  return frames;
}

/** Returns the message at this position; undefined if retention has dropped it or it is damaged. */
async function textAt(log: EventLog, session: string, sequence: number): Promise<string | undefined> {
  const { events } = await log.read(session, sequence - 1, { maxEvents: 1 });
  const event = events[0];
  return event?.sequence === sequence && payloadOf(event) !== undefined ? event.payload : undefined;
}
