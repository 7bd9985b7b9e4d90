import { ControlError } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import type { AgentSettings } from './agent-controls.ts';
import type { AgentOptions } from './agent-options.ts';
import type { WorkerDuties } from './worker-duties.ts';

/** What changes of the settings act on. */
export interface SettingsChangesOptions {
  readonly seams: Pick<AgentOptions, 'applyModel' | 'applyPermissionMode' | 'model' | 'defaultModel'>;
  readonly settings: AgentSettings;
  readonly emit: (message: WireMessage) => void;
  readonly worker: Pick<WorkerDuties, 'reportSettings'> | undefined;
}

/** The ways in which the model and the permission mode of a session change, whoever wants it. Each rejects with the refusal. */
export interface SettingsChanges {
  /** Has a model hold from now on; gives its resolved name. */
  changeModel(model: unknown): Promise<string>;
  /** Has a mode hold from now on, and tells it; gives the name it goes by. */
  changePermissionMode(mode: string): Promise<string>;
  /**
   * Has those hold that an earlier worker of the session had last, but for a mode that asks nobody. What the agent refuses stays as it
   * is, and so does all where nothing was left.
   */
  restore(left: Promise<Readonly<Record<string, unknown>> | null>): Promise<void>;
}

// `manual` is what recent hosts call the default mode.
const MODES = ['default', 'manual', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'];
const DEFAULT_MODEL = 'default';

/** Makes what changes these settings. */
export function createSettingsChanges({ seams, settings, emit, worker }: SettingsChangesOptions): SettingsChanges {
  const { model: first = DEFAULT_MODEL, defaultModel = first } = seams;

  async function changeModel(model: unknown): Promise<string> {
    const asked = typeof model === 'string' && model !== DEFAULT_MODEL ? model : undefined;
    settings.model = (await seams.applyModel?.(asked)) ?? asked ?? defaultModel;
    worker?.reportSettings({ model: settings.model });
    return settings.model;
  }

  async function changePermissionMode(asked: string): Promise<string> {
    if (!MODES.includes(asked)) throw new ControlError(`unknown permission mode: ${asked}`, { code: 'invalid_mode' });
    const permissionMode = asked === 'manual' ? 'default' : asked;
    await seams.applyPermissionMode?.(permissionMode);
    settings.permissionMode = permissionMode;
    emit({ type: 'system', subtype: 'status', status: null, permissionMode });
    worker?.reportSettings({ permission_mode: permissionMode });
    return permissionMode;
  }

  return {
    changeModel,
    changePermissionMode,
    async restore(left) {
      const { model, permission_mode: mode } = (await left) ?? {};
      if (typeof model === 'string') await changeModel(model).catch(() => {});
      // Whoever wants nobody to be asked has to say so to each worker.
      if (typeof mode === 'string' && mode !== 'bypassPermissions') await changePermissionMode(mode).catch(() => {});
    },
  };
}
