import { Permissions } from './permissions/permissions.ts';
import { settingsRulesOf } from './permissions/settings-rules.ts';
import type { ReferenceAgentOptions } from './reference-agent-options.ts';
import { agentTool } from './tools/agent.ts';
import { askUserQuestion, isMcpName, mcpTool } from './tools/host-tools.ts';
import { createMemoryTools } from './tools/memory.ts';
import { structuredOutput } from './turns/structured-output.ts';
import type { ReferenceSession } from './turns/turn-context.ts';
import { createUsage } from './turns/usage.ts';

function startMode({ permissionMode, dangerouslySkipPermissions }: ReferenceAgentOptions): string {
  // Recent hosts call the default mode `manual`.
  if (permissionMode === 'manual') return 'default';
  return permissionMode ?? (dangerouslySkipPermissions === true ? 'bypassPermissions' : 'default');
}

function permissionsOf(options: ReferenceAgentOptions, cwd: string): Permissions {
  const { settings = {}, allowDangerouslySkipPermissions, dangerouslySkipPermissions } = options;
  const mode = startMode(options);
  const noBypass = Object(settings['permissions']).disableBypassPermissionsMode === 'disable';
  if (Object(settings['sandbox']).enabled === true) {
    throw new Error('the settings require a sandbox (sandbox.enabled), but this agent does not have a sandbox');
  }
  if (noBypass && mode === 'bypassPermissions') {
    throw new Error('the settings do not allow skipping permissions (permissions.disableBypassPermissionsMode)');
  }
  const mayBypass = allowDangerouslySkipPermissions === true || dangerouslySkipPermissions === true;
  const permissions = new Permissions({ ...options, cwd, mayBypass: mayBypass && !noBypass, permissionMode: mode });
  const rules = settingsRulesOf(settings);
  if (rules !== undefined) permissions.setSettingsRules(rules);
  return permissions;
}

/** Creates a session without any turns. @throws {Error} for settings that this agent cannot obey. */
export function createReferenceSession(options: ReferenceAgentOptions): ReferenceSession {
  const { cwd = '/', tools = createMemoryTools(cwd), permissionPromptTool } = options;
  const permissions = permissionsOf(options, cwd);
  // The tool that asks the user exists only if a user can answer.
  const asking = permissionPromptTool === undefined ? [] : [askUserQuestion];
  const own = new Map([...tools, ...asking].map((tool) => [tool.name, tool]));
  const internal = { Agent: agentTool, StructuredOutput: structuredOutput };
  const isOffered = (name: string) => permissions.isOffered(name);
  return {
    options,
    permissions,
    usage: createUsage(),
    toolNames: [...own.keys(), 'Agent'].filter(isOffered),
    tool(name, context) {
      if (!isOffered(name)) return undefined;
      if (isMcpName(name)) return mcpTool(name, context.turn);
      if (name === 'Agent' || name === 'StructuredOutput') return internal[name](context);
      return own.get(name);
    },
    ownTool: (name) => (isOffered(name) ? own.get(name) : undefined),
    profile(name) {
      if (isMcpName(name)) return { name, effect: 'serves' };
      if (Object.hasOwn(internal, name)) return { name, effect: 'nothing' };
      return own.get(name);
    },
  };
}
