import { readFile } from 'node:fs/promises';
import type { AgentOptions } from '@proto/agent';
import type { Variables } from '../environment-variables.ts';

/** What a worker shows to its session's server. */
export interface AccessToken {
  readonly token: string;
  /** The number of the attachment it was given for. */
  readonly epoch?: number;
}

/** Where the token of a remote session comes from. */
export interface AccessTokens {
  /** As it is now: what was handed in last, or else what the file or the variable has. Undefined where there is none. */
  current(): Promise<AccessToken | undefined>;
  /** Takes variables that were refreshed while the process runs; those of the process stay as they are. */
  refresh(variables: Variables): void;
}

/** The variables that may be refreshed. */
const TOKEN_NAMES: readonly string[] = ['CLAUDE_CODE_SESSION_ACCESS_TOKEN', 'CLAUDE_CODE_WORKER_EPOCH'];

/** Makes the source of the token that these variables tell of, or the file they name, which is read anew each time. */
export function createAccessTokens(env: Variables): AccessTokens {
  let variables: Variables = env;
  let refreshed = false;
  return {
    async current() {
      const { CLAUDE_CODE_SESSION_ACCESS_TOKEN: given, CLAUDE_SESSION_INGRESS_TOKEN_FILE: file } = variables;
      // What a parent hands in is newer than any file.
      const text = file !== undefined && !refreshed ? await readFile(file, 'utf8') : (given ?? '');
      const token = text.trim();
      const epoch = epochOf(variables);
      return token === '' ? undefined : { token, ...(epoch !== undefined && { epoch }) };
    },
    refresh(changed) {
      variables = { ...variables, ...changed };
      refreshed ||= changed['CLAUDE_CODE_SESSION_ACCESS_TOKEN'] !== undefined;
    },
  };
}

/** The agent, whose host may hand in a new token, beside the variables that the agent itself takes. */
export function withTokens(agent: AgentOptions, tokens: Pick<AccessTokens, 'refresh'>): AgentOptions {
  return {
    ...agent,
    environmentNames: [...TOKEN_NAMES, ...(agent.environmentNames ?? [])],
    applyEnvironment(variables) {
      tokens.refresh(variables);
      agent.applyEnvironment?.(variables);
    },
  };
}

function epochOf({ CLAUDE_CODE_WORKER_EPOCH: text = '' }: Variables): number | undefined {
  if (text === '') return undefined;
  const epoch = Number(text);
  if (!Number.isSafeInteger(epoch)) throw new Error('CLAUDE_CODE_WORKER_EPOCH is not a whole number');
  return epoch;
}
