import type { AgentPermissionOptions } from '@proto/agent';
import { patternFor, type PermissionRule } from '@proto/permissions';
import type { ToolProfile } from '../tools/tool.ts';
import { directoryOf } from './directories.ts';

/** The decision of the agent's own rules about a call: allow, deny, or ask. */
export type LocalPermission = Awaited<ReturnType<NonNullable<AgentPermissionOptions['check']>>>;

/** The changes to the rules that a host can send with a permission. */
export type PermissionUpdates = Parameters<NonNullable<AgentPermissionOptions['onUpdates']>>[0];

/** A call that needs the host's answer. */
export interface Asked {
  readonly input: Readonly<Record<string, unknown>>;
  readonly about: string | undefined;
  /** Whether the file of the call is in a directory in which the agent works. */
  readonly isInside: boolean;
  /** The ask rule that matches the call, if there is one. */
  readonly rule?: PermissionRule;
}

/** Returns the decision to ask for permission, with the texts that hosts show and the rule changes that hosts may offer. */
export function askFor(tool: ToolProfile, asked: Asked): LocalPermission {
  const { about, isInside, rule } = asked;
  const isFile = tool.effect === 'reads' || tool.effect === 'writes';
  const reason = reasonOf(asked, isFile);
  return {
    behavior: 'ask',
    ...(tool.effect !== 'asks' && { suggestions: suggestionsFor(tool, asked) }),
    ...(isFile && !isInside && about !== undefined && { blockedPath: about }),
    ...(reason !== undefined && { decisionReason: reason }),
    request: {
      ...nameOf(tool),
      ...describe(tool, asked),
      ...(tool.effect === 'asks' && { requires_user_interaction: true }),
      ...(rule !== undefined && {
        matched_ask_rule: {
          source: 'session',
          tool_name: rule.toolName,
          ...(rule.ruleContent !== undefined && { rule_content: rule.ruleContent }),
        },
      }),
    },
  };
}

function nameOf({ name, effect }: ToolProfile) {
  const [, server = '', tool = ''] = name.split('__');
  if (effect !== 'serves') return { display_name: name };
  return { display_name: tool.charAt(0).toUpperCase() + tool.slice(1), mcp_server: { name: server, source: 'sdk' } };
}

function reasonOf({ rule, isInside, about }: Asked, isFile: boolean) {
  if (rule !== undefined) return { type: 'rule' as const, reason: `A rule requires permission for ${rule.toolName}.` };
  if (!isFile || isInside) return undefined;
  return { type: 'workingDir' as const, reason: `${about} is outside the directories that the agent works in.` };
}

function describe({ effect }: ToolProfile, { about, input }: Asked): { description?: string } {
  if (effect === 'executes') {
    return { description: typeof input['description'] === 'string' ? input['description'] : String(about) };
  }
  return about === undefined ? {} : { description: about.slice(about.lastIndexOf('/') + 1) };
}

function suggestionsFor(tool: ToolProfile, { about, isInside }: Asked): PermissionUpdates {
  if (about === undefined) return [allowing(tool.name)];
  if (tool.effect === 'executes') {
    return [allowing(tool.name, patternFor(about))];
  }
  const updates: PermissionUpdates[number][] = [];
  if (tool.effect === 'writes') updates.push({ type: 'setMode', mode: 'acceptEdits', destination: 'session' });
  if (!isInside) {
    updates.push({ type: 'addDirectories', directories: [directoryOf(about)], destination: 'session' });
  }
  return updates;
}

function allowing(toolName: string, ruleContent?: string): PermissionUpdates[number] {
  const rule = ruleContent === undefined ? { toolName } : { toolName, ruleContent };
  return { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'localSettings' };
}
