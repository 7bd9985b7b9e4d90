/** Where and when a server reports that a question waits for a person. */
export interface NotifyOptions {
  /** The address of the webhook: `https:`, or `http:` on this machine. Its name and password, if any, are refused. */
  readonly url: string;
  /**
   * The secret that signs the webhooks, as in Standard Webhooks: `whsec_` and 24 to 64 bytes as base64. The receiver checks the header
   * `webhook-signature` with it.
   */
  readonly secret: string;
  /** How long a question must wait before it is reported, in milliseconds. Default 30 000. */
  readonly afterMs?: number | undefined;
  /** Returns the address of a page on which a person can answer the questions of a session. Default: webhooks contain no link. */
  readonly link?: ((session: string) => string) | undefined;
  /** Sends the webhooks. Default: the `fetch` of this platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A question that waits, in the member `data` of a webhook of type `question.waiting`. */
export interface WaitingQuestionData {
  /** The id of the session. */
  readonly session_id: string;
  /** The title of the session. */
  readonly title: string;
  /** The id of the request, with which it can be answered. */
  readonly request_id: string;
  /** What is asked: `can_use_tool`, `elicitation` or `request_user_dialog`. */
  readonly subtype: string;
  /** The name of the tool that waits for a permission. */
  readonly tool_name?: string | undefined;
  /** When the question was asked, as an ISO date. */
  readonly asked_at: string;
  /** See `NotifyOptions.link`. */
  readonly link?: string | undefined;
}

/** A question that no longer waits, in the member `data` of a webhook of type `question.settled`. */
export interface SettledQuestionData {
  /** The id of the session. */
  readonly session_id: string;
  /** The id of the request. */
  readonly request_id: string;
  /** Whether a client has answered the question, or the agent has withdrawn it. */
  readonly outcome: 'answered' | 'cancelled';
}

/** The error for an option that cannot be used. It does not quote the value, which may be or contain a secret. */
export function invalidOption(option: keyof NotifyOptions, message: string): TypeError {
  return Object.assign(new TypeError(`notify: ${option} must ${message}`), { code: 'notify' });
}
