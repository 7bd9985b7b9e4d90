import type { AvailableCommand, SessionConfigOption, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk';
import { objectOf, objectsIn } from '../members.ts';

/** A model that the agent offers, in the form of the answer to `initialize`. */
export interface OfferedModel {
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
}

/** How a setting of the agent is changed: by an option of the session, or by the older request `session/set_model`. */
export type SettingRequest =
  | { readonly method: 'session/set_config_option'; readonly configId: string }
  | { readonly method: 'session/set_model' };

/** What a session of the agent is set to and offers. An answer that opens the session contains it, and updates change it. */
export class AgentSettings {
  commands: readonly AvailableCommand[] = [];
  /** The title of the conversation. Undefined if the agent has not given one. */
  title: string | undefined;
  /** What the session has cost, in US dollars. Undefined if the agent does not report it. */
  costUsd: number | undefined;
  #modes: SessionModeState | undefined;
  #options: readonly SessionConfigOption[] = [];
  /** The models in the form that agents used before there were options. */
  #models: readonly OfferedModel[] = [];
  #model: string | undefined;

  open(answer: {
    readonly modes?: SessionModeState | null;
    readonly configOptions?: readonly SessionConfigOption[] | null;
  }): void {
    this.#modes = answer.modes ?? undefined;
    this.#options = answer.configOptions ?? [];
    const { availableModels, currentModelId } = objectOf(objectOf(answer)['models']);
    this.#models = objectsIn(availableModels).map(({ modelId, name, description }) => ({
      value: String(modelId),
      displayName: String(name ?? modelId),
      description: typeof description === 'string' ? description : '',
    }));
    this.#model = typeof currentModelId === 'string' ? currentModelId : undefined;
  }

  /** Returns false for an update that is not about the settings. */
  take(update: SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.commands = update.availableCommands;
        return true;
      case 'current_mode_update':
        if (this.#modes !== undefined) this.#modes = { ...this.#modes, currentModeId: update.currentModeId };
        return true;
      case 'config_option_update':
        this.#options = update.configOptions;
        return true;
      case 'session_info_update':
        this.title = update.title ?? undefined;
        return true;
      case 'usage_update':
        if (update.cost?.currency === 'USD') this.costUsd = update.cost.amount;
        return true;
      default:
        return false;
    }
  }

  get mode(): string | undefined {
    return this.#modes?.currentModeId;
  }

  hasMode(mode: string): boolean {
    return this.#modes?.availableModes.some(({ id }) => id === mode) === true;
  }

  get model(): string | undefined {
    const option = this.#modelOption;
    return option?.type === 'select' ? option.currentValue : this.#model;
  }

  get models(): readonly OfferedModel[] {
    const option = this.#modelOption;
    if (option?.type !== 'select') return this.#models;
    return option.options
      .flatMap((each) => ('options' in each ? each.options : [each]))
      .map(({ value, name, description }) => ({ value, displayName: name, description: description ?? '' }));
  }

  get modelRequest(): SettingRequest {
    const option = this.#modelOption;
    return option === undefined
      ? { method: 'session/set_model' }
      : { method: 'session/set_config_option', configId: option.id };
  }

  setModel(model: string, options: readonly SessionConfigOption[] | undefined): void {
    if (options === undefined) this.#model = model;
    else this.#options = options;
  }

  get #modelOption(): SessionConfigOption | undefined {
    return this.#options.find(({ category, id }) => category === 'model' || id === 'model');
  }
}
