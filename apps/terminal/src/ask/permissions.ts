import { setImmediate } from 'node:timers/promises';
import type { HostSessionOptions } from '@proto/host';
import {
  createPermissionHandler,
  describeCall,
  type PermissionRecord,
  type PermissionRules,
  type RuleContext,
} from '@proto/permissions';
import { plain } from '../view/terminal-text.ts';
import type { AskUser } from './ask-user.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;
type Request = Parameters<CanUseTool>[0];
type Context = Parameters<CanUseTool>[1];
type Result = NonNullable<Awaited<ReturnType<CanUseTool>>>;

/** How permission requests are answered. */
export interface PermissionsOptions extends RuleContext {
  /** The rules that decide first. */
  readonly rules: PermissionRules;
  /** The person at the terminal; undefined if no person is available. */
  readonly user: AskUser | undefined;
  /** Called with each decision. Control characters are escaped in the text of the call. */
  readonly onDecision: (decision: PermissionRecord) => void;
}

/** Answers the permission requests of an agent, and records how they were answered. */
export interface Permissions {
  /** Answers a permission request: the `canUseTool` of a host session. */
  readonly canUseTool: CanUseTool;
  /** Whether a call needed the decision of a person, but no person was available. */
  readonly isUnasked: boolean;
  /** Whether the rules denied a call. */
  readonly isDenied: boolean;
}

/** Creates permissions that decide by rules, and ask the person at the terminal if the rules say so. */
export function createPermissions({ user, onDecision, ...rules }: PermissionsOptions): Permissions {
  const state = { isUnasked: false, isDenied: false };
  const decide = createPermissionHandler<Request, Context, Result>({
    ...rules,
    ask: user && ((request, { signal }) => askUser(request, user, rules.cwd, signal)),
    onDecision(record) {
      if (record.source === 'nobody') state.isUnasked = true;
      else if (record.behavior === 'deny' && record.source !== 'person') state.isDenied = true;
      onDecision({ ...record, call: plain(record.call) });
    },
  });
  return {
    get isUnasked() {
      return state.isUnasked;
    },
    get isDenied() {
      return state.isDenied;
    },
    async canUseTool(request, context) {
      // A session serves requests before earlier messages are read. Because of the pause, these messages can be shown before the question.
      await setImmediate();
      return decide(request, context);
    },
  };
}

function askUser(request: Request, user: AskUser, cwd: string, signal: AbortSignal): Promise<Result> {
  return request.tool_name === 'AskUserQuestion'
    ? askQuestions(request, user, signal)
    : askPermission(request, user, cwd, signal);
}

/** The answer "always" is offered only if the agent suggests rules for it. */
async function askPermission(request: Request, user: AskUser, cwd: string, signal: AbortSignal): Promise<Result> {
  const { permission_suggestions: suggestions = [], decision_reason: reason } = request;
  const call = plain(describeCall({ tool: request.tool_name, input: request.input }, cwd));
  const why = reason === undefined ? '' : ` (${plain(reason)})`;
  const choices = suggestions.length > 0 ? '[y]es, [n]o, [a]lways' : '[y]es, [n]o';
  const typed = await user.ask(`? ${call}${why}\n  allow? ${choices}: `, signal);
  const choice = typed?.trim().toLowerCase() ?? '';
  if (['y', 'yes'].includes(choice)) return { behavior: 'allow' };
  if (['a', 'always'].includes(choice) && suggestions.length > 0) {
    // One keystroke changes only the rules of this session, and no file.
    const updatedPermissions = suggestions.map((update) => ({ ...update, destination: 'session' as const }));
    return { behavior: 'allow', updatedPermissions };
  }
  return { behavior: 'deny', message: 'The user denied this call.' };
}

async function askQuestions({ input }: Request, user: AskUser, signal: AbortSignal): Promise<Result> {
  const answers: Record<string, string> = {};
  for (const { question, labels } of questionsOf(input['questions'])) {
    const choices = labels.map((label, index) => `  ${index + 1}) ${plain(label)}\n`).join('');
    const typed = (await user.ask(`? ${plain(question)}\n${choices}  answer: `, signal))?.trim();
    if (!typed) return { behavior: 'deny', message: 'The user did not answer.' };
    answers[question] = labels[Number(typed) - 1] ?? typed;
  }
  return { behavior: 'allow', updatedInput: { ...input, answers } };
}

function questionsOf(questions: unknown): { question: string; labels: string[] }[] {
  if (!Array.isArray(questions)) return [];
  return questions.map(({ question, options }: { question?: unknown; options?: unknown }) => ({
    question: String(question),
    labels: Array.isArray(options) ? options.map(({ label }: { label?: unknown }) => String(label)) : [],
  }));
}
