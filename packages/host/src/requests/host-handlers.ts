import {
  ControlError,
  type ControlRequest,
  ProtocolError,
  type RequestContext,
  type RequestHandler,
} from '@proto/core';
import {
  type Checked,
  checkHookCallback,
  checkHookOutput,
  checkPermissionRequest,
  checkPermissionResult,
  issueText,
  type ElicitationResult,
  isRecord,
  type PermissionResult,
  type SDKControlElicitationRequest,
  type SDKControlPermissionRequest,
  type SDKControlRequestUserDialogRequest,
  type UserDialogResult,
} from '@proto/core/internal';
import type { RegisteredHooks } from './hooks.ts';
import type { McpLink, McpMessage } from '../mcp/mcp-link.ts';
import type { Ask, Questions } from './questions.ts';

/**
 * Who answers what the agent asks. Each may answer with `null`: the answer then comes by `HostSession.respond`. Without a handler a
 * tool call is refused, an elicitation declined, and a dialog not supported.
 */
export interface HostCallbacks {
  /** May this call be made? Nothing but a valid `allow` allows it. */
  readonly canUseTool?: Ask<SDKControlPermissionRequest, PermissionResult>;
  /** A question of an MCP server to the user. */
  readonly onElicitation?: Ask<SDKControlElicitationRequest, ElicitationResult>;
  /** The dialogs this host shows, by kind. What one throws cancels it. */
  readonly dialogs?: Readonly<Record<string, Ask<SDKControlRequestUserDialogRequest, UserDialogResult>>>;
}

/** What the requests of an agent are served with. */
export interface HostHandlersOptions extends HostCallbacks {
  readonly hooks: RegisteredHooks;
  readonly servers: ReadonlyMap<string, McpLink>;
  readonly questions: Questions;
}

// What the tool result says where the host gave no reason of its own.
const DENIED = 'The host refused this tool call.';
// No refusal of a person: the model may try again, and who reads it must not look for somebody who said no.
const DISCONNECTED: PermissionResult = {
  behavior: 'deny',
  message: 'The link to the host was lost before this tool call was answered.',
};

/** The control requests that every host serves, by subtype. */
export function createHostHandlers(options: HostHandlersOptions): Readonly<Record<string, RequestHandler>> {
  const { canUseTool, onElicitation, dialogs = {}, hooks, servers, questions } = options;
  return {
    async can_use_tool(request, context) {
      if (canUseTool === undefined) throw new ControlError('canUseTool callback is not provided.');
      const asked = valid('can_use_tool', checkPermissionRequest(request));
      const { input, tool_use_id: toolUseID } = asked;
      const result = valid(
        'answer to can_use_tool',
        checkPermissionResult(await questions.ask(asked, context, canUseTool, DISCONNECTED)),
      );
      // Agents from before 0.3.207 take no permission without the input.
      const rest = result.behavior === 'allow' ? { updatedInput: input } : { message: DENIED };
      return { ...rest, ...result, toolUseID };
    },
    async hook_callback(request, { requestId, signal }) {
      const { callback_id: id, input, tool_use_id: toolUseID } = valid('hook_callback', checkHookCallback(request));
      const hook = hooks.callbacks.get(id);
      if (hook === undefined) throw new ControlError(`No hook callback found for ID: ${id}`);
      return valid(`answer of ${id}`, checkHookOutput((await hook(input, { requestId, signal, toolUseID })) ?? {}));
    },
    async mcp_message({ server_name: name, message }) {
      const server = servers.get(String(name));
      if (server === undefined) throw new ControlError(`SDK MCP server not found: ${String(name)}`);
      if (!isRecord(message)) throw new ControlError('mcp_message without a message');
      return { mcp_response: await server.receive(message as unknown as McpMessage) };
    },
    elicitation: (request, context) =>
      onElicitation === undefined
        ? { action: 'decline' }
        : questions.ask(request as SDKControlElicitationRequest & ControlRequest, context, onElicitation),
    request_user_dialog: async (request, context: RequestContext) => {
      const kind = String(request['dialog_kind']);
      // Not `cancelled`: that would settle a dialog which another host shows.
      if (!Object.hasOwn(dialogs, kind)) throw unsupportedDialog(kind);
      const show = dialogs[kind] as NonNullable<(typeof dialogs)[string]>;
      return questions
        .ask(request as SDKControlRequestUserDialogRequest & ControlRequest, context, show)
        .catch(() => ({ behavior: 'cancelled' }));
    },
  };
}

function unsupportedDialog(kind: string): ControlError {
  return new ControlError(`Unsupported dialog kind: ${kind}`, { code: 'unsupported_request' });
}

function valid<T>(what: string, { value, issues }: Checked<T>): T {
  if (issues === undefined) return value;
  throw new ProtocolError('invalid-message', [`invalid ${what}`, ...issues.map(issueText)].join(': '), { issues });
}
