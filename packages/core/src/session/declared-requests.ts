import type { ControlAnswers, ControlRequests } from '../messages/message-types.ts';

/** The payload of the answer to a request of that subtype, as it is declared. Not checked, unless the request brings a schema. */
export type AnswerTo<Subtype> = Subtype extends keyof ControlAnswers ? ControlAnswers[Subtype] : unknown;

/** A subtype that is none of the declared ones; where it is known only at run time, any. */
export type Undeclared<Subtype, Declared = keyof ControlRequests> = Subtype extends Declared ? never : Subtype;

/** The type itself, but where a result has it, nothing is concluded from the place that the result is assigned to. */
export type NotInferred<Type> = Type extends infer Same ? Same : never;
