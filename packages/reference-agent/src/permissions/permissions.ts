import { ControlError } from '@proto/core';
import {
  type Behavior,
  coversTool,
  isSameRule,
  matchesRule,
  parseRule,
  type PermissionRule,
  type RuleSubject,
} from '@proto/permissions';
import type { ToolProfile } from '../tools/tool.ts';
import { askFor, type Asked } from './ask.ts';
import { isInside } from './directories.ts';
import type { LocalPermission, PermissionUpdates } from './local-permission.ts';
import type { RulesByBehavior } from './settings-rules.ts';

/** What a session begins with; names and meanings of the flags. */
export interface PermissionsOptions {
  readonly cwd: string;
  /** What `~/` stands for in rules. */
  readonly home?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  readonly addDir?: readonly string[] | undefined;
  /** Without it nobody may switch to `bypassPermissions` later. */
  readonly mayBypass?: boolean | undefined;
}

/** The rules of a session: what it began with, and what was changed since. */
export interface Permissions {
  readonly mode: string;
  /** Throws a `ControlError` for a mode that was not made possible at the start. */
  setMode(mode: string): void;
  apply(updates: PermissionUpdates): void;
  /** Takes rules beside all others, in place of those it took before. */
  setRules(rules: RulesByBehavior): void;
  /** A tool that is denied as a whole is not there at all. */
  isOffered(tool: string): boolean;
  /** What the rules say of a call; `about` is what its rules are held against. */
  check(tool: ToolProfile, input: Readonly<Record<string, unknown>>, about?: string): LocalPermission;
}

/** Makes the rules of one session. Later rules do not win over earlier ones: what is denied is denied, then asked, then allowed. */
export function createPermissions(options: PermissionsOptions): Permissions {
  const { cwd, home, permissionMode = 'default', allowedTools = [], disallowedTools = [], addDir = [] } = options;
  const mayBypass = options.mayBypass === true || permissionMode === 'bypassPermissions';
  const rules: Record<Behavior, PermissionRule[]> = {
    allow: allowedTools.map(parseRule),
    deny: disallowedTools.map(parseRule),
    ask: [],
  };
  // Apart, so that settings which change take no rule of somebody else's away.
  let further: RulesByBehavior = { allow: [], deny: [], ask: [] };
  let directories: readonly string[] = [cwd, ...addDir];
  let mode = permissionMode;

  const matching = (behavior: Behavior, subject: RuleSubject) =>
    [...rules[behavior], ...further[behavior]].find((rule) => matchesRule(rule, subject, { behavior, cwd, home }));

  function change(update: PermissionUpdates[number]): void {
    switch (update.type) {
      case 'addRules':
      case 'replaceRules':
      case 'removeRules': {
        const { behavior } = update;
        const given = update.rules as readonly PermissionRule[];
        const others = rules[behavior].filter((rule) => !given.some((other) => isSameRule(rule, other)));
        if (update.type === 'removeRules') rules[behavior] = others;
        else rules[behavior] = update.type === 'addRules' ? [...others, ...given] : [...given];
        return;
      }
      case 'addDirectories':
        directories = [...directories, ...(update.directories as readonly string[])];
        return;
      case 'removeDirectories':
        directories = directories.filter((directory) => !(update.directories as readonly string[]).includes(directory));
        return;
      case 'setMode':
        // Who answers a question cannot allow more than the one who started the agent.
        if (update.mode !== 'bypassPermissions' || mayBypass) mode = String(update.mode);
    }
  }

  /** What the mode does with a call that no rule decides. */
  function byMode(tool: ToolProfile, asked: Asked): LocalPermission {
    const { about, isInside: inside } = asked;
    if (tool.effect === 'nothing' || (tool.effect === 'reads' && inside)) return { behavior: 'allow' };
    // Waiting does nothing, so nobody is asked for it.
    if (tool.effect === 'executes' && /^sleep \d+(\.\d+)?$/.test(about ?? '')) return { behavior: 'allow' };
    if (tool.effect === 'writes' && inside && mode === 'acceptEdits') return { behavior: 'allow' };
    if (mode === 'plan' && (tool.effect === 'writes' || tool.effect === 'executes')) {
      return { behavior: 'deny', message: `${tool.name} is not used while planning.` };
    }
    return askFor(tool, asked);
  }

  return {
    get mode() {
      return mode;
    },
    setMode(asked) {
      if (asked === 'bypassPermissions' && !mayBypass) {
        throw new ControlError('bypassPermissions was not made possible when the agent was started', {
          code: 'bypass_not_launched',
        });
      }
      mode = asked;
    },
    apply: (updates) => updates.forEach(change),
    setRules: (given) => void (further = given),
    isOffered: (tool) => ![...rules.deny, ...further.deny].some((rule) => coversTool(rule, tool)),
    check(tool, input, about) {
      const subject = subjectOf(tool, about);
      const asked = { input, about, isInside: about === undefined || isInside(about, directories) };
      if (matching('deny', subject) !== undefined) {
        return { behavior: 'deny', message: `${tool.name} is denied by a rule.` };
      }
      const rule = matching('ask', subject);
      if (rule !== undefined) return beside(mode, tool, askFor(tool, { ...asked, rule }));
      if (tool.effect !== 'asks' && (mode === 'bypassPermissions' || matching('allow', subject) !== undefined)) {
        return { behavior: 'allow' };
      }
      return beside(mode, tool, byMode(tool, asked));
    },
  };
}

function subjectOf({ name, effect }: ToolProfile, about: string | undefined): RuleSubject {
  return { tool: name, kind: effect === 'executes' ? 'command' : 'path', values: about === undefined ? [] : [about] };
}

/** Where nobody is to be asked, what would be asked is denied. */
function beside(mode: string, tool: ToolProfile, permission: LocalPermission): LocalPermission {
  if (permission.behavior !== 'ask' || mode !== 'dontAsk') return permission;
  return { behavior: 'deny', message: `${tool.name} is not allowed, and in this mode nobody is asked.` };
}
