import type { RequestContext } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { isRecord, requestIdOf } from '@proto/core/internal';
import type { Question } from './snapshot.ts';

type Settle = (answer: unknown) => void;
type Request = Question['request'];

/** The questions of a session that are waiting for a person, with the functions that answer them. */
export class WaitingQuestions {
  readonly #waiting = new Map<string, { readonly question: Question; readonly settle: Settle | undefined }>();
  readonly #onChange: () => void;
  #snapshot: readonly Question[] | undefined = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Opens a question of a host session. Fulfils with the answer, and rejects when the question is withdrawn. */
  ask<Answer>(kind: Question['kind'], request: Request, { requestId, signal }: RequestContext): Promise<Answer> {
    const id = String(requestId);
    return new Promise((resolve, reject) => {
      this.#open(
        id,
        createQuestion({ kind, id, request, askedAt: Date.now() }, (answer) => this.#settle(id, answer)),
        resolve as Settle,
      );
      signal.addEventListener('abort', () => {
        this.close(id);
        reject(signal.reason as Error);
      });
    });
  }

  /** Shows a question that arrived as a message, such as a message of a recording. It cannot be answered here. */
  show(message: WireMessage, askedAt: number): void {
    const { request } = message;
    const kind = isRecord(request) ? KINDS.get(request['subtype']) : undefined;
    if (kind === undefined) return;
    const id = String(requestIdOf(message));
    this.#open(
      id,
      createQuestion({ kind, id, request: request as Request, askedAt }, () => false),
      undefined,
    );
  }

  /** Removes a question that was answered or withdrawn. */
  close(id: string): void {
    if (!this.#waiting.delete(id)) return;
    this.#snapshot = undefined;
    this.#onChange();
  }

  snapshot(): readonly Question[] {
    return (this.#snapshot ??= [...this.#waiting.values()].map(({ question }) => question));
  }

  #open(id: string, question: Question, settle: Settle | undefined): void {
    this.#waiting.set(id, { question, settle });
    this.#snapshot = undefined;
    this.#onChange();
  }

  #settle(id: string, answer: unknown): boolean {
    const settle = this.#waiting.get(id)?.settle;
    if (settle === undefined) return false;
    this.close(id);
    settle(answer);
    return true;
  }
}

const KINDS = new Map<unknown, Question['kind']>([
  ['can_use_tool', 'permission'],
  ['elicitation', 'elicitation'],
  ['request_user_dialog', 'dialog'],
]);

const REFUSED = 'The user does not want to run this tool.';

/** The members that every question has. */
type Asked = Pick<Question, 'kind' | 'id' | 'request' | 'askedAt'>;

function createQuestion(asked: Asked, answer: (answer: unknown) => boolean): Question {
  if (asked.kind !== 'permission') return { ...asked, answer } as Question;
  return {
    ...asked,
    allow: (changes) => answer({ ...changes, behavior: 'allow' }),
    deny: (message = REFUSED, options) => answer({ ...options, behavior: 'deny', message }),
  } as Question;
}
