import { isRecord } from '@proto/core/internal';
import type { PermissionUpdate } from '@proto/core/messages';

/** How many changes, rules and directories one answer may contain. No user chooses more than that, so the changes of a longer answer are ignored. */
const MAX_PERMISSION_UPDATES = 4096;

const DESTINATIONS: readonly unknown[] = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'];
const BEHAVIORS: readonly unknown[] = ['allow', 'deny', 'ask'];

/**
 * Returns the valid changes of an answer, each without its invalid rules. An invalid rule is dropped, but the permission in the same answer still
 * counts, because some hosts write rules that contain `null`.
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

/** The valid values. Undefined if there are values but all of them are invalid, because an empty list would remove all rules. */
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
