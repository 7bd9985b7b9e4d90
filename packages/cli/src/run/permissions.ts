import { setImmediate } from 'node:timers/promises';
import type { HostSessionOptions } from '@proto/host';
import { plain } from '../plain.ts';
import type { AskUser } from './ask-user.ts';
import { decide, type PermissionRules } from './permission-rules.ts';
import { describeCall } from './tool-call.ts';

type CanUseTool = NonNullable<HostSessionOptions['canUseTool']>;
type Request = Parameters<CanUseTool>[0];
type Result = NonNullable<Awaited<ReturnType<CanUseTool>>>;

/** One decision, as it is recorded. */
export interface Decision {
  readonly call: string;
  readonly behavior: 'allow' | 'deny';
  /** A rule, a flag, `BY_USER`, or that there was nobody to ask. */
  readonly by: string;
}

/** Who decides. */
export interface PermissionsOptions {
  readonly policy: 'ask' | 'allow' | 'deny' | PermissionRules;
  /** Absent where nobody sits there. */
  readonly user: AskUser | undefined;
  readonly cwd: string;
  readonly onDecision: (decision: Decision) => void;
}

/** The answers to what an agent asks permission for, and what they came to. */
export interface Permissions {
  readonly canUseTool: CanUseTool;
  /** Whether a person was needed and there was none. */
  readonly isUnasked: boolean;
  /** Whether the policy denied anything. */
  readonly isDenied: boolean;
}

/** Who decided what was asked. */
export const BY_USER = 'the user';
const NOBODY = 'there is nobody to ask';

/** Answers by a policy. Whatever is not clearly allowed is denied, and each decision is told. */
export function createPermissions({ policy, user, cwd, onDecision }: PermissionsOptions): Permissions {
  const state = { isUnasked: false, isDenied: false };
  const deny = (message: string): Result => ({ behavior: 'deny', message });
  async function answer(request: Request, signal: AbortSignal): Promise<[Result, by: string]> {
    const { tool_name: name, input } = request;
    const { behavior, by } =
      typeof policy === 'object'
        ? decide(policy, { name, input }, cwd)
        : { behavior: policy, by: `--permissions ${policy}` };
    if (behavior === 'deny') {
      state.isDenied = true;
      return [deny(`The policy of this host refused the call: ${by}.`), by];
    }
    // What is a question to a person cannot be allowed without an answer.
    const isQuestion = name === 'AskUserQuestion';
    if (behavior === 'allow' && !isQuestion && request.requires_user_interaction !== true)
      return [{ behavior: 'allow' }, by];
    if (user === undefined) {
      state.isUnasked = true;
      return [deny(`The call needs a permission, and ${NOBODY}.`), NOBODY];
    }
    const asked = isQuestion ? askQuestions : askPermission;
    return [await asked(request, user, cwd, signal), BY_USER];
  }

  return {
    get isUnasked() {
      return state.isUnasked;
    },
    get isDenied() {
      return state.isDenied;
    },
    async canUseTool(request, { signal }) {
      // Requests are served ahead of what is unread: what was said before this one is shown first.
      await setImmediate();
      const [result, by] = await answer(request, signal);
      const call = plain(describeCall({ name: request.tool_name, input: request.input }, cwd));
      onDecision({ call, behavior: result.behavior === 'allow' ? 'allow' : 'deny', by });
      return result;
    },
  };
}

/** One question: yes, no, or always, where the agent says what that would mean. */
async function askPermission(request: Request, user: AskUser, cwd: string, signal: AbortSignal): Promise<Result> {
  const { permission_suggestions: suggestions = [], decision_reason: reason } = request;
  const call = plain(describeCall({ name: request.tool_name, input: request.input }, cwd));
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
async function askQuestions({ input }: Request, user: AskUser, _cwd: string, signal: AbortSignal): Promise<Result> {
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
