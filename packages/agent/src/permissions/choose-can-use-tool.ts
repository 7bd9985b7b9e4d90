import type { AgentOptions } from '../agent-options.ts';
import { type CanUseToolOptions, createCanUseTool } from './ask-host.ts';
import { permissionDecision, type ToolCall } from './permission-decision.ts';
import { createPromptToolCheck, type PermissionPromptToolOptions } from './permission-prompt-tool.ts';
import { type CanUseTool, createPermissionCheck } from './permission-rules.ts';

/** The options of an agent that say who is asked. */
export type PermissionSurface = Pick<AgentOptions, 'permissionPromptTool' | 'permissionPrompts'>;

/** Who is asked: `stdio` the host, another name that tool, none nobody; or whom `permissionPrompts` says in its place. */
export function chooseCanUseTool(
  { permissionPromptTool: name, permissionPrompts: surface }: PermissionSurface,
  options: CanUseToolOptions & PermissionPromptToolOptions,
): CanUseTool {
  if (surface === 'host' || (name === 'stdio' && surface === undefined)) return createCanUseTool(options);
  if (name !== undefined && surface === undefined) return createPromptToolCheck(name, options);
  return createPermissionCheck(options, async (call, ask, context) => {
    const decided = await options.permissionRequestHooks?.(call, ask, context);
    return decided === undefined ? nobodyToAsk(call) : permissionDecision(decided, call, 'hook');
  });
}

function nobodyToAsk(call: ToolCall) {
  const message = `Permission to use ${call.tool} was not granted, and there is nobody to ask.`;
  return permissionDecision({ behavior: 'deny', message }, call, 'rules');
}
