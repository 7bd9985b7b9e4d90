import { isRecord, type PermissionUpdate } from '@proto/core/internal';

/** More changes, rules and directories than this in one answer are no user's choice: none of them is applied. */
const MAX_PERMISSION_UPDATES = 4096;

const DESTINATIONS: readonly unknown[] = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'];
const BEHAVIORS: readonly unknown[] = ['allow', 'deny', 'ask'];

/**
 * The changes of an answer that make sense, each without its rules that do not: a rule that is wrong is not remembered, which
 * leaves the permission it came with as it is. Some hosts write rules with `null` in them.
 */
export function validPermissionUpdates(updates: unknown): readonly PermissionUpdate[] {
  if (!Array.isArray(updates)) return [];
  const valid = updates.map(validUpdate).filter((update) => update !== undefined);
  return valid.reduce((sum, update) => sum + sizeOf(update), 0) > MAX_PERMISSION_UPDATES ? [] : valid;
}

function validUpdate(update: unknown): PermissionUpdate | undefined {
  if (!isRecord(update) || !DESTINATIONS.includes(update['destination'])) return undefined;
  switch (update['type']) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const rules = membersOf(update['rules'], isRule);
      return rules !== undefined && BEHAVIORS.includes(update['behavior'])
        ? ({ ...update, rules } as PermissionUpdate)
        : undefined;
    }
    case 'addDirectories':
    case 'removeDirectories': {
      const directories = membersOf(update['directories'], (directory) => typeof directory === 'string');
      return directories && ({ ...update, directories } as PermissionUpdate);
    }
    case 'setMode':
      return typeof update['mode'] === 'string' ? (update as PermissionUpdate) : undefined;
    default:
      return undefined;
  }
}

/** Those that hold. Nothing where none of several does: to replace all rules by none is another wish. */
function membersOf(values: unknown, holds: (value: unknown) => boolean): readonly unknown[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const valid = values.filter(holds);
  return valid.length === 0 && values.length > 0 ? undefined : valid;
}

function isRule(rule: unknown): boolean {
  if (!isRecord(rule) || typeof rule['toolName'] !== 'string') return false;
  return rule['ruleContent'] === undefined || typeof rule['ruleContent'] === 'string';
}

function sizeOf(update: PermissionUpdate): number {
  if ('rules' in update) return 1 + update.rules.length;
  return 'directories' in update ? 1 + update.directories.length : 1;
}
