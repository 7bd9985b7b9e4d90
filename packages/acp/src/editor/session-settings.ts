import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { SDKControlInitializeResponse } from '@proto/core/messages';

const MODES = [
  { id: 'default', name: 'Ask', description: 'Ask before each change and each command.' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Change files without asking.' },
  { id: 'plan', name: 'Plan', description: 'Make a plan, and change nothing.' },
  { id: 'dontAsk', name: "Don't ask", description: 'Reject what is not allowed in advance.' },
];
const BYPASS = { id: 'bypassPermissions', name: 'Bypass permissions', description: 'Do everything without asking.' };

/** The modes that can be changed to. The mode that is in effect is always one of them. */
export function modesOf(current: string): SessionModeState {
  const known = current === BYPASS.id ? [...MODES, BYPASS] : MODES;
  const isKnown = known.some(({ id }) => id === current);
  return { currentModeId: current, availableModes: isKnown ? known : [...known, { id: current, name: current }] };
}

/** The options of a session that an editor shows as menus. An agent that names no models has only the option `mode`. */
export function configOptionsOf(
  mode: string,
  model: string | undefined,
  models: SDKControlInitializeResponse['models'],
): SessionConfigOption[] {
  const modes = modesOf(mode).availableModes.map(({ id, ...about }) => ({ value: id, ...about }));
  const offered = models.map(({ value, displayName: name, description }) => ({ value, name, description }));
  const [first] = offered;
  const modeMenu = menuOf('mode', 'Mode', mode, modes);
  return first === undefined ? [modeMenu] : [modeMenu, menuOf('model', 'Model', model ?? first.value, offered)];
}

function menuOf(
  id: 'mode' | 'model',
  name: string,
  currentValue: string,
  options: SessionConfigSelectOption[],
): SessionConfigOption {
  return { id, type: 'select', category: id, name, currentValue, options };
}
