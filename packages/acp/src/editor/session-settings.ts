import type { SessionConfigOption, SessionConfigSelectOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { SDKControlInitializeResponse } from '@proto/core/messages';

type Choices = SessionConfigSelectOption[];

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

/** What a session is set to. The model and the effort are absent if the agent itself has chosen them. */
export interface SessionSettings {
  readonly mode: string;
  readonly model?: string;
  readonly effort?: string;
}

/** The effort that the agent itself chooses. */
export const DEFAULT_EFFORT = 'default';

/** The options of a session that an editor shows as menus. What the agent does not offer is left out. */
export function configOptionsOf(
  { mode, model, effort = DEFAULT_EFFORT }: SessionSettings,
  models: SDKControlInitializeResponse['models'],
): SessionConfigOption[] {
  const modes = modesOf(mode).availableModes.map(({ id, ...about }) => ({ value: id, ...about }));
  const offered = models.map(({ value, displayName: name, description }) => ({ value, name, description }));
  const current = models.find(({ value }) => value === model) ?? models[0];
  const levels = [DEFAULT_EFFORT, ...(current?.supportedEffortLevels ?? [])].map((value) => ({ value, name: value }));
  const level = levels.some(({ value }) => value === effort) ? effort : DEFAULT_EFFORT;
  return [
    menuOf('mode', 'mode', mode, modes),
    ...(current === undefined ? [] : [menuOf('model', 'model', current.value, offered)]),
    ...(levels.length === 1 ? [] : [menuOf('effort', 'thought_level', level, levels)]),
  ];
}

function menuOf(id: string, category: string, currentValue: string, options: Choices): SessionConfigOption {
  const name = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  return { id, type: 'select', category, name, currentValue, options };
}

export function offers(menu: SessionConfigOption, value: string): boolean {
  return menu.type === 'select' && menu.options.some((option) => 'value' in option && option.value === value);
}
