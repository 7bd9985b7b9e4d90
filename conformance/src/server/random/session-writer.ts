import type { Random, Step } from '@proto/testkit/steps';

import { Choices } from '../../random/choices.ts';
import { oddText } from '../../random/odd-values.ts';
import type { ServerFeature, ServerProfile } from '../server-profile.ts';

export interface Operation {
  readonly weight: number;
  readonly needs?: readonly ServerFeature[];
  /** Whether the session has what the operation needs. Default: always. */
  readonly isPossible?: (session: SessionWriter) => boolean;
  readonly steps: (session: SessionWriter) => readonly Step[];
}

export interface Reader {
  readonly name: string;
  readonly over: 'stream' | 'plain' | 'numbered';
  readonly role: string;
  /** Undefined for a viewer. */
  readonly worker: string | undefined;
  readonly isProxied: boolean;
  isPaused: boolean;
  /** Whether the credential was sent in the first line. */
  isAuthenticatedByLine?: boolean;
  /** The name of the stream of a client of `sjp.v1`, which its next connection keeps. */
  readonly stream: string;
  /** The messages that this client has sent over `sjp.v1`, in the order of their numbers. */
  readonly lines: object[];
}

/** Messages of one POST, which a later operation may repeat. */
export interface SentPost {
  readonly role: string;
  readonly messages: readonly Message[];
}

export type Message = Readonly<Record<string, unknown>> & { readonly uuid?: string };

// Including connections that hang, a session has fewer readers than any known server allows.
const MAX_READERS = 9;

export class SessionWriter extends Choices {
  readonly profile: ServerProfile;
  readers: Reader[] = [];
  /** The connections that have ended, whose cursors can still be used. */
  readonly ended: Reader[] = [];
  readonly workers: string[] = [];
  /** The worker that has the lease. */
  present: string | undefined;
  readonly sent: SentPost[] = [];
  /** The ids of the control requests of workers. */
  readonly asked: string[] = [];
  /** The ids of requests that are certainly settled. */
  readonly settled: string[] = [];
  /** The ids of settled requests of earlier workers, which the present worker may use for other requests. */
  freeIds: string[] = [];
  /** The ids of the control requests of viewers. */
  readonly requests: string[] = [];
  /** The uuids of rows of the transcript. */
  readonly rows: string[] = [];
  /** The uuids of rows that are not the uuids of messages. */
  readonly rowsOfNoMessage: string[] = [];
  /** How many characters the long texts of the messages have together. */
  longTexts = 0;
  /** About how many events the log contains. */
  stored = 0;
  readonly #names = new Map<string, number>();
  #ids = 0;

  constructor(random: Random, profile: ServerProfile) {
    super(random);
    this.profile = profile;
  }

  /** An item of a list that is not empty, usually one of the last two. */
  recentOf<T>(list: readonly T[]): T {
    return this.oneOf(this.isLucky(0.7) ? list.slice(-2) : list);
  }

  newId(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  /** A name that does not occur elsewhere in the session, such as `v3`. */
  newName(prefix: string): string {
    const number = (this.#names.get(prefix) ?? 0) + 1;
    this.#names.set(prefix, number);
    return `${prefix}${number}`;
  }

  /** An id for a control request, sometimes with unusual characters. */
  newRequestId(prefix: string): string {
    return (this.isLucky(0.1) ? oddText(this) : '') + this.newName(prefix);
  }

  declares(feature: ServerFeature): boolean {
    return this.profile.declares.includes(feature);
  }

  /** The accounts of the server, the driver first. */
  get accounts(): readonly string[] {
    return ['driver', ...(['approver', 'viewer'] as const).filter((role) => this.#has(role))];
  }

  /** The accounts that may not send prompts. */
  get limited(): readonly string[] {
    return this.accounts.slice(1);
  }

  get hasRoom(): boolean {
    return this.readers.length + this.ended.filter(({ isPaused }) => isPaused).length < MAX_READERS;
  }

  /** The server may still consider a connection that hangs as open. */
  end(reader: Reader, hangs = false): void {
    this.readers = this.readers.filter((each) => each !== reader);
    reader.isPaused = hangs;
    this.ended.push(reader);
  }

  /** Ends the connections of every earlier worker. */
  take(worker: string): void {
    for (const reader of this.readers.filter((each) => each.worker !== undefined)) this.end(reader);
    this.present = worker;
    this.freeIds.push(...this.settled.splice(0));
  }

  /** Notes messages that the server will accept. */
  note(role: string, messages: readonly Message[]): void {
    if (messages.some(({ uuid }) => uuid !== undefined)) this.sent.push({ role, messages });
    this.stored += messages.length;
  }

  #has(role: 'approver' | 'viewer'): boolean {
    return this.declares(role) && this.profile.tokens[role] !== undefined;
  }
}

/** Steps that are only useful together. A failed session is not shrunk to a part of them. */
export function together(steps: readonly Step[]): Step {
  return { repeat: 1, steps };
}

/** Pattern for the status of a request whose answer depends on other steps. The rules check the answer. */
export const ANY = { $any: true };
