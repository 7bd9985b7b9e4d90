import { expectTypeOf } from 'vitest';
import type * as z from 'zod/mini';
import type { ControlAnswers, ControlRequests, MessagesFromAgent, MessagesFromHost } from '../messages/message-types.ts';
import type { controlRequests, controlResponses } from './control/requests.ts';
import type { messagesFromAgent, messagesFromHost } from './messages.ts';

type Inferred<Table extends Record<string, z.ZodMiniType>> = { [Name in keyof Table]: z.infer<Table[Name]> };
type FromAgent = Inferred<typeof messagesFromAgent>;
type FromHost = Inferred<typeof messagesFromHost>;
type Requests = Inferred<typeof controlRequests>;
type Answers = Inferred<typeof controlResponses>;

declare const fromAgent: MessagesFromAgent;
declare const fromHost: MessagesFromHost;
declare const requests: ControlRequests;
declare const answers: ControlAnswers;

// The types for programs without zod match the types that zod infers, with two exceptions: the model API allows more roles for a prompt, and the
// keys of `hooks` in `initialize` are typed as the known events.
type Wider = 'user' | 'user/replay' | 'control_request';
export const ofAgents: Omit<FromAgent, Wider> = fromAgent;
export const ofHosts: Omit<FromHost, Wider> = fromHost;
export const asked: Pick<Requests, Exclude<keyof ControlRequests, 'initialize'>> = requests;
export const answered: Pick<Answers, keyof ControlAnswers> = answers;
// @ts-expect-error the role differs
export const prompt: FromHost['user'] = fromHost.user;

expectTypeOf<keyof MessagesFromAgent>().toEqualTypeOf<keyof FromAgent>();
expectTypeOf<keyof MessagesFromHost>().toEqualTypeOf<keyof FromHost>();
