import { type CanUseToolOptions, createCanUseTool } from './permission-bridge.ts';
import { permissionDecision, type ToolCall } from './permission-decision.ts';
import { createPromptToolCheck, type PermissionPromptToolOptions } from './permission-prompt-tool.ts';
import { type CanUseTool, createPermissionCheck } from './permission-rules.ts';

/** Who is asked, as `--permission-prompt-tool` names it: `stdio` the host, another name that tool, none nobody. */
export function chooseCanUseTool(
  permissionPromptTool: string | undefined,
  options: CanUseToolOptions & PermissionPromptToolOptions,
): CanUseTool {
  if (permissionPromptTool === 'stdio') return createCanUseTool(options);
  if (permissionPromptTool !== undefined) return createPromptToolCheck(permissionPromptTool, options);
  return createPermissionCheck(options, async (call, ask, context) => {
    const decided = await options.permissionRequestHooks?.(call, ask, context);
    return decided === undefined ? nobodyToAsk(call) : permissionDecision(decided, call, 'hook');
  });
}

function nobodyToAsk(call: ToolCall) {
  const message = `Permission to use ${call.tool} was not granted, and there is nobody to ask.`;
  return permissionDecision({ behavior: 'deny', message }, call, 'rules');
}
