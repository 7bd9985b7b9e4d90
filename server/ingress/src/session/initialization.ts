import { isObject, type JsonObject, objectOf } from '../json/values.ts';

/** The longest answer that is repeated, in UTF-16 units. Answers of published agents have about 100 000. */
const MAX_ANSWER_UNITS = 4 * 1024 * 1024;
/** The maximum number of bytes of open requests in an answer. Clients find the other requests among the events of the session. */
export const MAX_PENDING_BYTES = 1024 * 1024;

/** The names of the lists of open requests in an answer, by subtype. The first two lists are in every answer. */
const LISTS = {
  can_use_tool: 'pending_permission_requests',
  request_user_dialog: 'pending_user_dialog_requests',
  elicitation: 'pending_elicitation_requests',
} as const;

export type ListedSubtype = keyof typeof LISTS;

export interface PendingFrame {
  readonly subtype: ListedSubtype;
  readonly text: string;
}

/** The agent's answer to a driver's `initialize`. The server repeats this answer to clients that may not initialise the agent. */
export class Initialization {
  #answer: string | undefined;

  /** @param kept the stored `text`. */
  constructor(kept?: string) {
    this.#answer = kept;
  }

  /** The text to store; undefined before the first answer. */
  get text(): string | undefined {
    return this.#answer;
  }

  /** Processes an answer from the agent. Returns whether there is a new text to store. */
  answered({ response }: JsonObject): boolean {
    const { subtype, response: answer } = objectOf(response);
    if (subtype !== 'success' || !isObject(answer)) return false;
    const text = JSON.stringify(answer);
    if (text.length > MAX_ANSWER_UNITS) return false;
    this.#answer = text;
    return true;
  }

  /** Returns the answer to a later `initialize`, as JSON text; undefined before the agent's first answer. */
  answer(requestId: string, uuid: string, pending: readonly PendingFrame[]): string | undefined {
    if (this.#answer === undefined) return undefined;
    const lists = {
      pending_permission_requests: '',
      pending_user_dialog_requests: '',
      pending_elicitation_requests: '',
    };
    for (const { subtype, text } of pending) {
      const list = LISTS[subtype];
      lists[list] += `${lists[list] === '' ? '' : ','}${text}`;
    }
    const { pending_elicitation_requests: elicitations, ...always } = lists;
    const shown = { ...always, ...(elicitations !== '' && { pending_elicitation_requests: elicitations }) };
    const members = Object.entries(shown).map(([name, frames]) => `,"${name}":[${frames}]`);
    const head = `"subtype":"success","request_id":${JSON.stringify(requestId)},"response":${this.#answer}`;
    return `{"type":"control_response","response":{${head}${members.join('')}},"uuid":${JSON.stringify(uuid)}}`;
  }
}

/** Whether an answer lists requests of this subtype. */
export function isListed(subtype: string): subtype is ListedSubtype {
  return Object.hasOwn(LISTS, subtype);
}

/** Returns the open requests listed in an agent's answer. */
export function listedIn({ response }: JsonObject): readonly JsonObject[] {
  const members = objectOf(response);
  return Object.values(LISTS)
    .flatMap((name) => members[name])
    .filter(isObject);
}

/** Returns the refusal of an `initialize` that cannot be answered yet, as JSON text. */
export function notInitialized(requestId: string, uuid: string): string {
  const error =
    'not_initialized: no driver has initialised the agent of this session yet; try again after a driver has done so';
  const response = { subtype: 'error', request_id: requestId, error };
  return JSON.stringify({ type: 'control_response', response, uuid });
}
