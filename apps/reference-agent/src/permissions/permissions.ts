import { ControlError } from '@proto/core';
import {
  type Behavior,
  compareRule,
  type Comparison,
  coversTool,
  isSameRule,
  parseRule,
  type PermissionRule,
  type RuleSubject,
  subjectOf,
} from '@proto/permissions';
import type { ToolProfile } from '../tools/tool.ts';
import { askFor, type Asked, type LocalPermission, type PermissionUpdates } from './ask.ts';
import { isInside } from './directories.ts';
import type { RulesByBehavior } from './settings-rules.ts';

/** The rules at the start of a session. The names and meanings are the same as for the flags of an agent executable. */
export interface PermissionsOptions {
  readonly cwd: string;
  /** The folder that `~/` represents in rules. */
  readonly home?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  readonly addDir?: readonly string[] | undefined;
  /** Whether the session may change to `bypassPermissions` later. Default false. */
  readonly mayBypass?: boolean | undefined;
}

const NO_RULES: RulesByBehavior = { allow: [], deny: [], ask: [] };
const BEHAVIORS: readonly Behavior[] = ['allow', 'deny', 'ask'];

/**
 * The rules of a session: the rules from its start, plus later changes. Deny rules take precedence over ask rules, and ask rules over allow rules.
 */
export class Permissions {
  readonly #cwd: string;
  readonly #home: string | undefined;
  readonly #mayBypass: boolean;
  /** The rules by the destination that an update names. An update changes only the rules with its destination. Flags have set the rules of `cliArg`. */
  readonly #rules: Map<string, RulesByBehavior>;
  // These rules are separate, so that a change of the settings does not remove rules from flags or from a permission.
  #settingsRules = NO_RULES;
  #directories: readonly string[];
  #mode: string;
  /** The MCP servers whose tools need a permission even if the mode allows all calls. */
  readonly #limitedServers = new Set<string>();

  constructor(options: PermissionsOptions) {
    const { cwd, home, permissionMode = 'default', allowedTools = [], disallowedTools = [], addDir = [] } = options;
    this.#cwd = cwd;
    this.#home = home;
    this.#mayBypass = options.mayBypass === true || permissionMode === 'bypassPermissions';
    const rulesOfFlags = { allow: allowedTools.map(parseRule), deny: disallowedTools.map(parseRule), ask: [] };
    this.#rules = new Map([['cliArg', rulesOfFlags]]);
    this.#directories = [cwd, ...addDir];
    this.#mode = permissionMode;
  }

  get mode(): string {
    return this.#mode;
  }

  /** The rules and the directories, in the form that `list_permission_rules` returns. */
  get listed() {
    const [, ...added] = this.#directories;
    return {
      rules: [
        ...[...this.#rules].flatMap(([place, rules]) => entriesOf(rules, place === 'cliArg' ? place : 'session')),
        ...entriesOf(this.#settingsRules, 'flagSettings'),
      ],
      workspaceDirectories: added.map((path) => ({ path, source: 'session' })),
      originalCwd: this.#cwd,
      managedOnly: false,
    };
  }

  /** Changes the mode. @throws {ControlError} for `bypassPermissions`, if the start of the agent did not allow this mode. */
  setMode(mode: string): void {
    if (mode === 'bypassPermissions' && !this.#mayBypass) {
      throw new ControlError('bypassPermissions was not allowed when the agent was started', {
        code: 'bypass_not_launched',
      });
    }
    this.#mode = mode;
  }

  /** Asks for permission for the tools of an MCP server in every mode, or stops doing so. A rule that allows a tool still allows the tool. */
  limitServer(server: string, isLimited: boolean): void {
    if (isLimited) this.#limitedServers.add(server);
    else this.#limitedServers.delete(server);
  }

  /** Applies the changes that arrived with a permission. */
  apply(updates: PermissionUpdates): void {
    for (const update of updates) this.#apply(update);
  }

  /** Replaces the rules from the settings. All other rules are kept. */
  setSettingsRules(rules: RulesByBehavior): void {
    this.#settingsRules = rules;
  }

  /** Whether the agent has this tool. The agent does not have a tool that a rule denies completely. */
  isOffered(tool: string): boolean {
    return !this.#rulesFor('deny').some((rule) => coversTool(rule, tool));
  }

  /** Decides about a call according to the rules. `about` is the command or the path that the rules match. */
  check(tool: ToolProfile, input: Readonly<Record<string, unknown>>, about?: string): LocalPermission {
    const subject = this.#subjectOf(tool, input, about);
    const asked = { input, about, isInside: about === undefined || isInside(about, this.#directories) };
    if (this.#ruleFor('deny', subject, 'matches') !== undefined) {
      return { behavior: 'deny', message: `${tool.name} is denied by a rule.` };
    }
    // If a rule cannot decide on a call, the user is asked, in every mode.
    const rule = this.#ruleFor('ask', subject) ?? this.#ruleFor('deny', subject);
    if (rule !== undefined) return this.#withoutQuestionInDontAsk(tool, askFor(tool, { ...asked, rule }));
    const isBypassed = this.#mode === 'bypassPermissions' && !this.#isOfLimitedServer(tool.name);
    const isAllowed = isBypassed || this.#ruleFor('allow', subject) !== undefined;
    if (tool.effect !== 'asks' && isAllowed) return { behavior: 'allow' };
    return this.#withoutQuestionInDontAsk(tool, this.#byMode(tool, asked));
  }

  #isOfLimitedServer(tool: string): boolean {
    return [...this.#limitedServers].some((server) => tool.startsWith(`mcp__${server}__`));
  }

  #rulesFor(behavior: Behavior): readonly PermissionRule[] {
    return [...this.#rules.values(), this.#settingsRules].flatMap((rules) => rules[behavior]);
  }

  /** Returns the first rule that matches the subject. If `comparison` is given, the rule is compared in that way. */
  #ruleFor(behavior: Behavior, subject: RuleSubject, comparison?: Comparison): PermissionRule | undefined {
    const place = { behavior, cwd: this.#cwd, home: this.#home };
    return this.#rulesFor(behavior).find((rule) => {
      const compared = compareRule(rule, subject, place);
      return comparison === undefined ? compared !== 'differs' : compared === comparison;
    });
  }

  #subjectOf({ name, effect }: ToolProfile, input: Readonly<Record<string, unknown>>, about?: string): RuleSubject {
    if (effect === 'executes') return { tool: name, kind: 'command', values: about === undefined ? [] : [about] };
    const given = subjectOf({ tool: name, input }, this.#cwd, this.#home);
    if (about === undefined) return given;
    return given.kind === 'search'
      ? { ...given, values: [...given.values, about] }
      : { tool: name, kind: 'path', values: [about] };
  }

  #apply(update: PermissionUpdates[number]): void {
    switch (update.type) {
      case 'addRules':
      case 'replaceRules':
      case 'removeRules': {
        const { behavior, destination } = update;
        const rules = this.#rules.get(destination) ?? NO_RULES;
        const given = update.rules as readonly PermissionRule[];
        const others = rules[behavior].filter((rule) => !given.some((other) => isSameRule(rule, other)));
        const added = update.type === 'removeRules' ? [] : given;
        this.#rules.set(destination, {
          ...rules,
          [behavior]: [...(update.type === 'replaceRules' ? [] : others), ...added],
        });
        return;
      }
      case 'addDirectories':
        this.#directories = [...this.#directories, ...(update.directories as readonly string[])];
        return;
      case 'removeDirectories': {
        const removed = update.directories as readonly string[];
        this.#directories = this.#directories.filter((directory) => !removed.includes(directory));
        return;
      }
      // A change of the mode goes through `setMode`.
      case 'setMode':
    }
  }

  #byMode(tool: ToolProfile, asked: Asked): LocalPermission {
    const { about, isInside: inside } = asked;
    if (tool.effect === 'nothing' || (tool.effect === 'reads' && inside)) return { behavior: 'allow' };
    // `sleep` only waits and changes nothing, so the user is not asked.
    if (tool.effect === 'executes' && /^sleep \d+(\.\d+)?$/.test(about ?? '')) return { behavior: 'allow' };
    if (tool.effect === 'writes' && inside && this.#mode === 'acceptEdits') return { behavior: 'allow' };
    if (this.#mode === 'plan' && (tool.effect === 'writes' || tool.effect === 'executes')) {
      return { behavior: 'deny', message: `${tool.name} cannot be used in plan mode.` };
    }
    return askFor(tool, asked);
  }

  #withoutQuestionInDontAsk(tool: ToolProfile, permission: LocalPermission): LocalPermission {
    if (permission.behavior !== 'ask' || this.#mode !== 'dontAsk') return permission;
    return { behavior: 'deny', message: `${tool.name} is not allowed, and this mode does not ask for permission.` };
  }
}

type RuleSource = 'cliArg' | 'session' | 'flagSettings';

/** Describes rules as hosts show them. Only rules of the session can be removed. */
function entriesOf(rules: RulesByBehavior, source: RuleSource) {
  return BEHAVIORS.flatMap((behavior) =>
    rules[behavior].map((rule) => {
      const { toolName, ruleContent } = rule;
      const text = ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
      return { behavior, source, rule: text, editability: source === 'session' ? source : ('readonly' as const) };
    }),
  );
}
