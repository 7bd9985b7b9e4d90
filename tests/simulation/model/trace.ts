/** The runs of `spec/resume.qnt`, as `scripts/model/traces.mjs` reads them. */
export interface Moment {
  readonly action: string;
  readonly picks: Picks;
  readonly state: State;
}

/** The choices of an action; each action has some of them. */
export interface Picks {
  readonly post?: Post;
  readonly reply?: Reply;
  readonly reader?: string;
  readonly worker?: string;
  /** How much of the log the server has stored when it is killed. */
  readonly kept?: number;
}

/** See the types of the model. */
export interface State {
  readonly log: readonly { readonly message: Message; readonly epoch: number }[];
  readonly epoch: number;
  readonly replies: readonly Reply[];
  readonly links: Readonly<Record<string, { readonly open: boolean; readonly copies: readonly Copy[] }>>;
  readonly clients: Readonly<Record<string, { readonly cursor: number; readonly underWay: readonly number[] }>>;
}

export interface Message {
  readonly id: Id;
  readonly kind: { readonly tag: 'Says' | 'Asks' } | { readonly tag: 'Answers'; readonly value: Id };
}

export interface Id {
  readonly from: string;
  readonly number: number;
}

export interface Copy {
  readonly place: number;
  readonly message: Message;
}

export interface Post {
  readonly serial: number;
  readonly from: string;
  readonly epoch: number;
  readonly messages: readonly Message[];
}

export interface Reply {
  readonly post: Post;
  readonly conflict: boolean;
  readonly refused: readonly Message[];
}

/** The id of a message, as it is in the log. */
export function idOf({ from, number }: Id): string {
  return `${from}-${number}`;
}

/** A message of the model as one of the protocol. */
export function payloadOf({ id, kind }: Message): object {
  const uuid = idOf(id);
  if (kind.tag === 'Asks') {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: uuid };
    return { type: 'control_request', request_id: uuid, request, uuid };
  }
  if (kind.tag === 'Answers') {
    const response = {
      subtype: 'success',
      request_id: idOf(kind.value),
      response: { behavior: 'deny', message: 'no' },
    };
    return { type: 'control_response', response, uuid };
  }
  return { type: id.from.startsWith('viewer') ? 'user' : 'assistant', uuid };
}
