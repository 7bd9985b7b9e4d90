import type * as Sdk from '@anthropic-ai/claude-agent-sdk';
import type * as Our from '@proto/core/messages';
import { expectTypeOf } from 'vitest';
import type { Different, Mutual } from './mutual.ts';

type Requests = {
  [Subtype in Sdk.SDKControlRequest['request']['subtype']]: [
    Extract<Our.SDKControlRequestInner, { subtype: Subtype }>,
    Extract<Sdk.SDKControlRequest['request'], { subtype: Subtype }>,
  ];
};

// initialize: Python hosts write `null` for no hooks and for no matcher. mcp_message: hosts acknowledge notifications with a
// result that has no id, which the published type of MCP does not allow.
expectTypeOf<Different<Requests>>().toEqualTypeOf<'initialize' | 'mcp_message'>();

type Answers = {
  can_use_tool: [Our.PermissionResult, Sdk.PermissionResult];
  initialize: [Our.SDKControlInitializeResponse, Sdk.SDKControlInitializeResponse];
  interrupt: [Our.SDKControlInterruptResponse, Sdk.SDKControlInterruptResponse];
  elicitation: [Our.ElicitationResult, Sdk.ElicitationResult];
  hook_callback: [Our.HookJSONOutput, Sdk.HookJSONOutput];
  request_user_dialog: [Our.UserDialogResult, Sdk.UserDialogResult];
  get_context_usage: [Our.SDKControlGetContextUsageResponse, Sdk.SDKControlGetContextUsageResponse];
  get_usage: [Our.SDKControlGetUsageResponse, Sdk.SDKControlGetUsageResponse];
  list_permission_rules: [Our.SDKControlListPermissionRulesResponse, Sdk.SDKControlListPermissionRulesResponse];
  mcp_read_resource: [Our.SDKControlMcpReadResourceResponse, Sdk.SDKControlMcpReadResourceResponse];
  mcp_set_servers: [Our.McpSetServersResult, Sdk.McpSetServersResult];
  read_file: [Our.SDKControlReadFileResponse, Sdk.SDKControlReadFileResponse];
  reload_output_styles: [Our.SDKControlReloadOutputStylesResponse, Sdk.SDKControlReloadOutputStylesResponse];
  reload_plugins: [Our.SDKControlReloadPluginsResponse, Sdk.SDKControlReloadPluginsResponse];
  reload_skills: [Our.SDKControlReloadSkillsResponse, Sdk.SDKControlReloadSkillsResponse];
  rewind_files: [Our.RewindFilesResult, Sdk.RewindFilesResult];
};

// can_use_tool: hosts that leave out empty texts deny without a message. interrupt: older agents send an empty receipt.
// elicitation: the rules of MCP for the values that a user may enter are not repeated here.
expectTypeOf<Different<Answers>>().toEqualTypeOf<'can_use_tool' | 'interrupt' | 'elicitation'>();

type Hooks = {
  [Event in Sdk.HookEvent]: [
    Extract<Our.HookInput, { hook_event_name: Event }>,
    Extract<Sdk.HookInput, { hook_event_name: Event }>,
  ];
};

expectTypeOf<Different<Hooks>>().toEqualTypeOf<never>();
expectTypeOf<Mutual<Our.HookEvent, Sdk.HookEvent>>().toEqualTypeOf<true>();

type Shared = {
  AccountInfo: [Our.AccountInfo, Sdk.AccountInfo];
  AgentDefinition: [Our.AgentDefinition, Sdk.AgentDefinition];
  AgentInfo: [Our.AgentInfo, Sdk.AgentInfo];
  ExitReason: [Our.ExitReason, Sdk.ExitReason];
  McpServerConfigForProcessTransport: [Our.McpServerConfigForProcessTransport, Sdk.McpServerConfigForProcessTransport];
  McpServerStatus: [Our.McpServerStatus, Sdk.McpServerStatus];
  ModelInfo: [Our.ModelInfo, Sdk.ModelInfo];
  PermissionMode: [Our.PermissionMode, Sdk.PermissionMode];
  PermissionUpdate: [Our.PermissionUpdate, Sdk.PermissionUpdate];
  SdkPluginConfig: [Our.SdkPluginConfig, Sdk.SdkPluginConfig];
  SlashCommand: [Our.SlashCommand, Sdk.SlashCommand];
};

expectTypeOf<Different<Shared>>().toEqualTypeOf<never>();
