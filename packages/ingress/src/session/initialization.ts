import { isObject, type JsonObject, objectOf } from '../json/values.ts';

/** A longer answer is not said again, in UTF-16 units; those of published agents have some 100 000. */
const MAX_ANSWER_UNITS = 4 * 1024 * 1024;
/** What the open requests in an answer may have together, in bytes. What does not fit is found among the events of the session. */
export const MAX_PENDING_BYTES = 1024 * 1024;

/** By subtype, the list of an answer that has the open requests; the first two stand in every answer. */
const LISTS = {
  can_use_tool: 'pending_permission_requests',
  request_user_dialog: 'pending_user_dialog_requests',
  elicitation: 'pending_elicitation_requests',
} as const;

/** What a request asks that stands in an answer. */
export type ListedSubtype = keyof typeof LISTS;

/** A request that the worker waits for, as it was asked. */
export interface PendingFrame {
  readonly subtype: ListedSubtype;
  readonly text: string;
}

/** What the agent answered to the `initialize` of a driver, which is said again to who may not initialise it. */
export class Initialization {
  #answer: string | undefined;

  /** `kept` is what `text` gave, where it was stored. */
  constructor(kept?: string) {
    this.#answer = kept;
  }

  /** What is to be stored; undefined before an answer. */
  get text(): string | undefined {
    return this.#answer;
  }

  /** Takes note of an answer of the agent; true where there is something new to be stored. */
  answered({ response }: JsonObject): boolean {
    const { subtype, response: answer } = objectOf(response);
    if (subtype !== 'success' || !isObject(answer)) return false;
    const text = JSON.stringify(answer);
    if (text.length > MAX_ANSWER_UNITS) return false;
    this.#answer = text;
    return true;
  }

  /** The answer to a later `initialize`, as JSON text; undefined before the agent has answered one. */
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

/** Whether a request of this subtype stands in an answer. */
export function isListed(subtype: string): subtype is ListedSubtype {
  return Object.hasOwn(LISTS, subtype);
}

/** The requests that an answer of the agent lists as open. */
export function listedIn({ response }: JsonObject): readonly JsonObject[] {
  const members = objectOf(response);
  return Object.values(LISTS)
    .flatMap((name) => members[name])
    .filter(isObject);
}

/** The refusal of an `initialize` that cannot be answered yet, as JSON text. */
export function notInitialized(requestId: string, uuid: string): string {
  const error = 'not_initialized: no driver has initialised the agent of this session yet; try again after one has';
  const response = { subtype: 'error', request_id: requestId, error };
  return JSON.stringify({ type: 'control_response', response, uuid });
}
