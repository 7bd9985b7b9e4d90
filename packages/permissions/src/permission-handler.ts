import { decidePermission, type PermissionDecision, type RuleContext } from './decide-permission.ts';
import type { PermissionRules } from './permission-rules.ts';
import { formatRule } from './rule.ts';
import { describeCall } from './tool-call.ts';

/** A permission request from an agent, in the form that is passed to a host's `canUseTool`. */
export interface PermissionRequest {
  /** The name of the tool, such as `Bash` or `mcp__server__tool`. */
  readonly tool_name: string;
  /** The input of the call, as the model wrote it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether the tool needs an answer from a person even if a rule allows the call. */
  readonly requires_user_interaction?: boolean | undefined;
}

/** The answer in its wire format. */
export type PermissionAnswer = { readonly behavior: 'allow' } | { readonly behavior: 'deny'; readonly message: string };

/** One entry of an audit log, as plain data: what was decided about a call, and by whom. */
export interface PermissionRecord {
  /** The name of the tool. */
  readonly tool: string;
  /** The call in one line, such as `Bash(git log)`. The text comes from the agent, so remove control characters before you show it on a terminal. */
  readonly call: string;
  /** The decision that is sent to the agent. */
  readonly behavior: 'allow' | 'deny';
  /** What made the decision: a rule, the default, an error (which denies the call), the person whom `ask` asked, or `nobody` if `ask` is absent. */
  readonly source: PermissionDecision['source'] | 'person' | 'nobody';
  /** The rule that decided or that required asking a person. */
  readonly rule?: string;
  /** The reason in words, such as `rule deny Bash(rm *)`. */
  readonly by: string;
}

/** The rules of a permission handler, and its callbacks. */
export interface PermissionHandlerOptions<Request, Context, Answer> extends RuleContext {
  /** The rules that are applied before `ask` is called. */
  readonly rules: PermissionRules;
  /** Asks a person. If absent, nobody can be asked, and the call is denied. */
  readonly ask?: ((request: Request, context: Context) => Answer | Promise<Answer>) | undefined;
  /** Called with each decision before the answer is sent. If this callback fails, the call is denied, so that no call runs without a record. */
  readonly onDecision?: ((record: PermissionRecord) => void | Promise<void>) | undefined;
}

const NOBODY = 'no user is available to ask';

/**
 * Creates a handler that answers permission requests using rules: `canUseTool: createPermissionHandler({ rules, cwd })`. A call that is not clearly
 * allowed is denied. This includes calls for which a rule, `ask` or `onDecision` fails. If a tool asks the user a question, `ask` is called even if
 * the rules allow the call.
 */
export function createPermissionHandler<
  Request extends PermissionRequest,
  Context = unknown,
  Answer extends { readonly behavior: 'allow' | 'deny' } = PermissionAnswer,
>(
  options: PermissionHandlerOptions<Request, Context, Answer>,
): (request: Request, context: Context) => Promise<Answer | PermissionAnswer> {
  return async (request, context) => {
    const call = { tool: request.tool_name, input: request.input };
    try {
      const decided = await decidePermission(options.rules, call, options);
      const [answer, source, by] = await answerTo(options, decided, request, context);
      await options.onDecision?.({
        tool: call.tool,
        call: describeCall(call, options.cwd),
        behavior: answer.behavior === 'allow' ? 'allow' : 'deny',
        source,
        ...(decided.rule !== undefined && { rule: formatRule(decided.rule) }),
        by,
      });
      return answer;
    } catch (error) {
      return deny(`The permission request failed: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };
}

type Answered<Answer> = readonly [answer: Answer | PermissionAnswer, source: PermissionRecord['source'], by: string];

async function answerTo<Request extends PermissionRequest, Context, Answer>(
  options: PermissionHandlerOptions<Request, Context, Answer>,
  { behavior, source, by }: PermissionDecision,
  request: Request,
  context: Context,
): Promise<Answered<Answer>> {
  if (behavior === 'deny') return [deny(`The policy of this host refused the call: ${by}.`), source, by];
  const isQuestion = request.tool_name === 'AskUserQuestion' || request.requires_user_interaction === true;
  if (behavior === 'allow' && !isQuestion) return [{ behavior }, source, by];
  if (options.ask === undefined) return [deny(`The call needs a permission, but ${NOBODY}.`), 'nobody', NOBODY];
  return [await options.ask(request, context), 'person', 'the user'];
}

function deny(message: string): PermissionAnswer {
  return { behavior: 'deny', message };
}
