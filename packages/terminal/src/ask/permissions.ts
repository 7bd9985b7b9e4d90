import { setImmediate } from 'node:timers/promises';
import type { HostSessionOptions } from '@proto/host';
import {
  createPermissionHandler,
  describeCall,
  type PermissionRecord,
  type PermissionRules,
  type RuleContext,
} from '@proto/permissions';
import { plain } from '../view/plain.ts';
import type { AskUser } from './ask-user.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;
type Request = Parameters<CanUseTool>[0];
type Context = Parameters<CanUseTool>[1];
type Result = NonNullable<Awaited<ReturnType<CanUseTool>>>;

/** Who decides. */
export interface PermissionsOptions extends RuleContext {
  readonly rules: PermissionRules;
  /** Absent where nobody sits there. */
  readonly user: AskUser | undefined;
  /** Receives each decision; what steers a terminal is taken out of the call. */
  readonly onDecision: (decision: PermissionRecord) => void;
}

/** The answers to what an agent asks permission for, and what they came to. */
export interface Permissions {
  readonly canUseTool: CanUseTool;
  /** Whether a person was needed and there was none. */
  readonly isUnasked: boolean;
  /** Whether the rules denied anything. */
  readonly isDenied: boolean;
}

/** Answers by rules, and asks the person at the terminal where these say so. Each decision is told. */
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
      // Requests are served ahead of what is unread: what was said before this one is shown first.
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

/** One question: yes, no, or always, where the agent says what that would mean. */
async function askPermission(request: Request, user: AskUser, cwd: string, signal: AbortSignal): Promise<Result> {
  const { permission_suggestions: suggestions = [], decision_reason: reason } = request;
  const call = plain(describeCall({ tool: request.tool_name, input: request.input }, cwd));
  const why = reason === undefined ? '' : ` (${plain(reason)})`;
  const choices = suggestions.length > 0 ? '[y]es, [n]o, [a]lways' : '[y]es, [n]o';
  const typed = await user.ask(`? ${call}${why}\n  allow? ${choices}: `, signal);
  const choice = typed?.trim().toLowerCase() ?? '';
  if (['y', 'yes'].includes(choice)) return { behavior: 'allow' };
  if (['a', 'always'].includes(choice) && suggestions.length > 0) {
    // For this session: what the agent keeps beyond it is not for one keystroke.
    const updatedPermissions = suggestions.map((update) => ({ ...update, destination: 'session' as const }));
    return { behavior: 'allow', updatedPermissions };
  }
  return { behavior: 'deny', message: 'The user refused this call.' };
}

/** Questions to the user with answers to choose from, or to type. */
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
