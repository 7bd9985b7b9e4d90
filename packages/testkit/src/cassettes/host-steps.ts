import { parseJson, type WireMessage } from '@proto/core/framing';
import type { Recording } from '@proto/recording';
import { CassetteError } from './cassette-error.ts';
import { Landmarks, type Progress } from './landmarks.ts';
import { steadyText } from './request-key.ts';

/** A control request that the agent on the tape sent to its host. */
export interface TapedQuestion {
  /** The number of its frame, as shown by `sjp explain`. */
  readonly frame: number;
  readonly id: string;
  readonly subtype: string;
  /** A string that is the same for the same question in another run. */
  readonly key: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface HostStep {
  readonly frame: number;
  /** Undefined if the host ended the agent's input. */
  readonly line: string | undefined;
  readonly place: Progress;
  readonly question: TapedQuestion | undefined;
}

export interface HostPart {
  readonly steps: readonly HostStep[];
  readonly questions: readonly TapedQuestion[];
  /** The first session id that the agent sent. */
  readonly sessionId: string | undefined;
}

export function hostPartOf({ entries }: Recording): HostPart {
  const landmarks = new Landmarks();
  const questions: TapedQuestion[] = [];
  // An agent may reuse an id after the answer.
  const newest = new Map<string, TapedQuestion>();
  const steps: HostStep[] = [];
  let sessionId: string | undefined;
  for (const [index, entry] of entries.entries()) {
    if (!('dir' in entry) || 'lost' in entry) continue;
    const [frame, place] = [index + 1, landmarks.progress];
    if ('end' in entry) {
      if (entry.dir === 'from-host') steps.push({ frame, line: undefined, place, question: undefined });
      continue;
    }
    const message = messageOf(entry.line);
    if (entry.dir === 'from-host') {
      const question = newest.get(answeredId(message) ?? '');
      steps.push({ frame, line: entry.line, place, question });
      continue;
    }
    sessionId ??= sessionIdOf(message);
    const question = questionOf(message, frame);
    if (question !== undefined) {
      questions.push(question);
      newest.set(question.id, question);
    }
    landmarks.add(message);
  }
  // The recording was cut off. If the input did not end, the agent would wait forever.
  const [frame, place] = [entries.length, landmarks.progress];
  if (!steps.some(({ line }) => line === undefined)) steps.push({ frame, line: undefined, place, question: undefined });
  return { steps, questions, sessionId };
}

/** Returns `undefined` if the message is not a question. */
export function questionOf(message: WireMessage, frame: number): TapedQuestion | undefined {
  if (message.type !== 'control_request') return undefined;
  const { request_id: id, request } = message as WireMessage & { readonly request_id?: unknown };
  const members = Object(request) as Readonly<Record<string, unknown>>;
  return {
    frame,
    id: String(id),
    subtype: String(members['subtype']),
    key: steadyText(members),
    request: members,
  };
}

export function sessionIdOf({ session_id: id }: WireMessage): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Answers to permission requests that replace the recorded answers, by the frame number of the request or of its answer. */
export type ChangedAnswers = ReadonlyMap<number, 'allow' | 'deny'>;

/**
 * Replaces the answers to permission requests in the steps of a host.
 * @throws {CassetteError} `no-permission`: a frame is neither a permission request nor the answer to a permission request. The error message lists
 * the permission requests.
 */
export function withAnswers(steps: readonly HostStep[], changed: ChangedAnswers): readonly HostStep[] {
  const permissions = steps.filter(({ question }) => question?.subtype === 'can_use_tool');
  const frames = permissions.flatMap(({ frame, question }) => [frame, question?.frame]);
  for (const frame of changed.keys()) {
    if (!frames.includes(frame)) throw new CassetteError('no-permission', noPermission(frame, permissions));
  }
  return steps.map((step) => {
    if (!permissions.includes(step)) return step;
    const behavior = changed.get(step.frame) ?? changed.get(step.question?.frame ?? 0);
    return behavior === undefined ? step : { ...step, line: changedLine(step, behavior) };
  });
}

function noPermission(frame: number, permissions: readonly HostStep[]): string {
  const list = permissions.map(({ question }) => `${question?.frame} ${String(question?.request['tool_name'])}`);
  const known =
    list.length === 0 ? 'the cassette contains no permission requests' : `the cassette contains ${list.join(', ')}`;
  return `frame ${frame} is not a permission request: ${known}`;
}

const DENIAL = 'The recorded answer was replaced by a denial.';

function changedLine({ line = '', question }: HostStep, behavior: 'allow' | 'deny'): string {
  const message = messageOf(line);
  const envelope = Object(message['response']) as Readonly<Record<string, unknown>>;
  const { toolUseID } = Object(envelope['response']) as { readonly toolUseID?: unknown };
  const decision =
    behavior === 'allow' ? { behavior, updatedInput: question?.request['input'] } : { behavior, message: DENIAL };
  const response = { ...decision, ...(toolUseID !== undefined && { toolUseID }) };
  return JSON.stringify({ ...message, response: { ...envelope, subtype: 'success', response } });
}

function answeredId({ type, response }: WireMessage): string | undefined {
  if (type !== 'control_response') return undefined;
  const { request_id: id } = Object(response) as { readonly request_id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** If the line is not a JSON object, the type of the message is an empty string. */
export function messageOf(line: string): WireMessage {
  try {
    return { type: '', ...(Object(parseJson(line)) as object) };
  } catch {
    return { type: '' };
  }
}
