import { ControlError } from '../../errors.ts';
import type { WireMessage } from '../../framing/parse-line.ts';
import type { AgentSettings } from './agent-controls.ts';
import type { AgentOptions } from './agent-options.ts';

/** What a change of the mode acts on. */
export interface PermissionModeOptions {
  readonly seams: Pick<AgentOptions, 'applyPermissionMode'>;
  readonly settings: AgentSettings;
  readonly emit: (message: WireMessage) => void;
}

// `manual` is what recent hosts call the default mode.
const MODES = ['default', 'manual', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'];

/** Has a mode hold from now on, and tells it; gives the name it goes by. Rejects with the refusal, of whoever wants the change. */
export async function changePermissionMode(
  asked: string,
  { seams, settings, emit }: PermissionModeOptions,
): Promise<string> {
  if (!MODES.includes(asked)) throw new ControlError(`unknown permission mode: ${asked}`, { code: 'invalid_mode' });
  const permissionMode = asked === 'manual' ? 'default' : asked;
  await seams.applyPermissionMode?.(permissionMode);
  settings.permissionMode = permissionMode;
  emit({ type: 'system', subtype: 'status', status: null, permissionMode });
  return permissionMode;
}
