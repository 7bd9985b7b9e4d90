import { ControlError } from '@proto/core';
import { isWorker } from '@proto/core/transport';
import { isRecord } from '@proto/core/internal';
import { type AgentEnvironmentOptions, DEFAULT_ENVIRONMENT_NAMES } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { invalidRequest, objectMember, textMember } from './control-members.ts';

/** The next `system/init` reports these settings. */
export interface AgentSettings {
  model: string;
  permissionMode: string;
}

/** If a change is refused, the promise rejects with the refusal. */
export interface SettingsChanges {
  readonly current: Readonly<AgentSettings>;
  /** Fulfils when the settings of an earlier worker are restored. Undefined if the transport has no worker link. */
  readonly restored: Promise<void> | undefined;
  /** Returns the resolved name of the model. */
  changeModel(model: unknown): Promise<string>;
  /** Notifies the host. Returns the name of the new mode. */
  changePermissionMode(mode: string): Promise<string>;
}

// Recent hosts call the default mode `manual`.
const MODES = ['default', 'manual', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'];
const DEFAULT_MODEL = 'default';

// The only settings that a host may write permanently.
const WRITABLE: readonly string[] = ['localSettings.outputStyle', 'userSettings.effortLevel'];

export function installSettings(wire: AgentWire): SettingsChanges {
  const { options } = wire;
  const changes = createSettingsChanges(wire);
  let flags: Readonly<Record<string, unknown>> = {};
  wire.serve({
    set_permission_mode: async (request) => ({ mode: await changes.changePermissionMode(textMember(request, 'mode')) }),
    async set_model(request) {
      const { model: asked } = request;
      if (asked !== undefined && asked !== null && typeof asked !== 'string') {
        throw invalidRequest('model must be a string or null');
      }
      const model = await changes.changeModel(asked);
      // The change is added to the conversation before the answer is sent, as in published agents.
      const content = `<local-command-stdout>Set model to \`${model}\`</local-command-stdout>`;
      wire.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isReplay: true });
      return { model };
    },
    async set_max_thinking_tokens({ max_thinking_tokens: tokens }) {
      if (tokens !== undefined && tokens !== null && typeof tokens !== 'number') {
        throw invalidRequest('max_thinking_tokens must be a number or null');
      }
      await options.models?.onThinkingChange?.(tokens);
    },
    async apply_flag_settings(request) {
      const changed = objectMember(request, 'settings');
      await options.onSettings?.(changed, 'flagSettings');
      const merged = Object.entries({ ...flags, ...changed }).filter(([, value]) => value !== null);
      flags = Object.fromEntries(merged);
    },
    async update_settings(request) {
      const source = textMember(request, 'source');
      const changed = objectMember(request, 'settings');
      for (const [name, value] of Object.entries(changed)) {
        const isWritable = WRITABLE.includes(`${source}.${name}`) && typeof value === 'string';
        if (!isWritable || options.onSettings === undefined) {
          throw invalidRequest(`${source}.${name} cannot be written`);
        }
      }
      await options.onSettings?.(changed, source);
      return {};
    },
    get_settings: () => ({
      effective: flags,
      sources: Object.keys(flags).length > 0 ? [{ source: 'flagSettings', settings: flags }] : [],
      applied: { model: changes.current.model },
    }),
  });
  return changes;
}

function createSettingsChanges({ options, send, worker, session }: AgentWire): SettingsChanges {
  const { models = {}, permissions = {} } = options;
  const { initial = DEFAULT_MODEL, default: defaultModel = initial } = models;
  const settings = { model: initial, permissionMode: permissions.mode ?? 'default' };

  async function changeModel(model: unknown): Promise<string> {
    const asked = typeof model === 'string' && model !== DEFAULT_MODEL ? model : undefined;
    settings.model = (await models.onChange?.(asked)) ?? asked ?? defaultModel;
    worker?.reportSettings({ model: settings.model });
    return settings.model;
  }

  async function changePermissionMode(asked: string): Promise<string> {
    if (!MODES.includes(asked)) throw new ControlError(`unknown permission mode: ${asked}`, { code: 'invalid_mode' });
    const permissionMode = asked === 'manual' ? 'default' : asked;
    await permissions.onModeChange?.(permissionMode);
    settings.permissionMode = permissionMode;
    send({ type: 'system', subtype: 'status', status: null, permissionMode });
    worker?.reportSettings({ permission_mode: permissionMode });
    return permissionMode;
  }

  /** Does not restore the mode `bypassPermissions`. A setting that the agent refuses stays unchanged. */
  async function restore(left: Promise<Readonly<Record<string, unknown>> | null>): Promise<void> {
    const { model, permission_mode: mode } = (await left) ?? {};
    if (typeof model === 'string') await changeModel(model).catch(() => {});
    // `bypassPermissions` must be set again for each worker.
    if (typeof mode === 'string' && mode !== 'bypassPermissions') await changePermissionMode(mode).catch(() => {});
  }

  const restored = isWorker(session.transport) ? restore(session.transport.worker.restored) : undefined;
  return { current: settings, changeModel, changePermissionMode, restored };
}

/** Passes only allowed names with string values to `onChange`. */
export function refreshEnvironment(
  variables: unknown,
  { onChange, names = DEFAULT_ENVIRONMENT_NAMES }: AgentEnvironmentOptions = {},
): void {
  if (!isRecord(variables)) return;
  const taken = Object.entries(variables).filter(([name, value]) => names.includes(name) && typeof value === 'string');
  if (taken.length > 0) onChange?.(Object.fromEntries(taken) as Record<string, string>);
}
