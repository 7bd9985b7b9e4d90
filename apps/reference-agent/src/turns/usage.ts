/** Tokens as the Messages API counts them. */
export interface Tokens {
  input_tokens: number;
  output_tokens: number;
}

// The prices are similar to a real model's, so that a budget has an effect.
const MICRO_USD_PER_INPUT_TOKEN = 5;
const MICRO_USD_PER_OUTPUT_TOKEN = 25;
/** The maximum number of tokens in a conversation. */
export const CONTEXT_WINDOW = 200_000;
const MAX_OUTPUT_TOKENS = 32_000;

/** The name of the model, unless the host chooses another model. */
export const DEFAULT_MODEL = 'reference';

/** The number of tokens of a text: one for every four characters, so that the same text costs the same each time. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The price of tokens, in US dollars. */
export function costOf({ input_tokens, output_tokens }: Tokens): number {
  return (input_tokens * MICRO_USD_PER_INPUT_TOKEN + output_tokens * MICRO_USD_PER_OUTPUT_TOKEN) / 1_000_000;
}

/** The tokens that a session has used, by model. */
export interface Usage {
  add(model: string, tokens: Tokens): void;
  /** How many replies the agent itself has begun in the turn. */
  repliesOfTurn: number;
  readonly costUsd: number;
  /** The model of the last reply. */
  readonly model: string;
  /** The tokens of all models together. */
  readonly total: Readonly<Tokens>;
  /** The usage in the form of `modelUsage` of a result. */
  byModel(): Readonly<Record<string, object>>;
}

export function createUsage(): Usage {
  const models = new Map<string, Tokens>();
  let last = DEFAULT_MODEL;
  return {
    repliesOfTurn: 0,
    add(model, { input_tokens, output_tokens }) {
      const sum = models.get(model) ?? { input_tokens: 0, output_tokens: 0 };
      sum.input_tokens += input_tokens;
      sum.output_tokens += output_tokens;
      models.set(model, sum);
      last = model;
    },
    get costUsd() {
      return [...models.values()].reduce((sum, tokens) => sum + costOf(tokens), 0);
    },
    get model() {
      return last;
    },
    get total() {
      return [...models.values()].reduce(
        (sum, { input_tokens, output_tokens }) => ({
          input_tokens: sum.input_tokens + input_tokens,
          output_tokens: sum.output_tokens + output_tokens,
        }),
        { input_tokens: 0, output_tokens: 0 },
      );
    },
    byModel: () =>
      Object.fromEntries(
        [...models].map(([model, tokens]) => [
          model,
          {
            inputTokens: tokens.input_tokens,
            outputTokens: tokens.output_tokens,
            cacheReadInputTokens: 0,
            cacheCreationInputTokens: 0,
            webSearchRequests: 0,
            costUSD: costOf(tokens),
            contextWindow: CONTEXT_WINDOW,
            maxOutputTokens: MAX_OUTPUT_TOKENS,
          },
        ]),
      ),
  };
}
