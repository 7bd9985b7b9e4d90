import type {
  AvailableCommand,
  LoadSessionResponse,
  SessionConfigOption,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { ModelInfo } from '@proto/core/messages';
import { objectOf, objectsIn } from '../members.ts';

/** A model that the agent offers, in the form of the answer to `initialize`. */
type OfferedModel = Pick<ModelInfo, 'value' | 'displayName' | 'description'>;

/** What a session of the agent is set to and offers. An answer that opens the session contains it, and updates change it. */
export class AgentSettings {
  commands: readonly AvailableCommand[] = [];
  /** The title of the conversation. Undefined if the agent has not given one. */
  title: string | undefined;
  /** What the session has cost, in US dollars. Undefined if the agent does not report it. */
  costUsd: number | undefined;
  mode: string | undefined;
  /** The ids of the modes that the agent has. */
  modes: readonly string[] = [];
  model: string | undefined;
  models: readonly OfferedModel[] = [];
  /** The id of the option that changes the model. Undefined for an agent that has the older request `session/set_model`. */
  modelOption: string | undefined;

  open(answer: LoadSessionResponse): void {
    this.mode = answer.modes?.currentModeId;
    this.modes = answer.modes?.availableModes.map(({ id }) => id) ?? [];
    const { availableModels, currentModelId } = objectOf(objectOf(answer)['models']);
    this.models = objectsIn(availableModels).map(({ modelId, name, description }) => ({
      value: String(modelId),
      displayName: String(name ?? modelId),
      description: typeof description === 'string' ? description : '',
    }));
    this.model = typeof currentModelId === 'string' ? currentModelId : undefined;
    this.modelOption = undefined;
    this.#takeOptions(answer.configOptions);
  }

  /** Returns false for an update that is not about the settings. */
  take(update: SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.commands = update.availableCommands;
        return true;
      case 'current_mode_update':
        this.mode = update.currentModeId;
        return true;
      case 'config_option_update':
        this.#takeOptions(update.configOptions);
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

  #takeOptions(options: readonly SessionConfigOption[] | null | undefined): void {
    const option = options?.find(({ category, id }) => category === 'model' || id === 'model');
    if (option?.type !== 'select') return;
    this.modelOption = option.id;
    this.model = option.currentValue;
    this.models = option.options
      .flatMap((each) => ('options' in each ? each.options : [each]))
      .map(({ value, name, description }) => ({ value, displayName: name, description: description ?? '' }));
  }
}
