import { readFile } from 'node:fs/promises';
import type { AgentOptions } from '@proto/agent';
import type { Variables } from '../environment-variables.ts';

/** A worker's token for the server of its session. */
export interface AccessToken {
  readonly token: string;
  /** The epoch of the worker lease that the token belongs to. */
  readonly epoch?: number;
}

export interface AccessTokens {
  /** The last token that was set, otherwise the token from the file or the variable. `undefined` if no token exists. */
  current(): Promise<AccessToken | undefined>;
  /** The variables of the process do not change. */
  refresh(variables: Variables): void;
}

/** The variables that may be refreshed. */
const TOKEN_NAMES: readonly string[] = ['CLAUDE_CODE_SESSION_ACCESS_TOKEN', 'CLAUDE_CODE_WORKER_EPOCH'];

/** Reads variables, or the file that a variable names. The file is read again for each call. */
export function createAccessTokens(env: Variables): AccessTokens {
  let variables: Variables = env;
  let refreshed = false;
  return {
    async current() {
      const { CLAUDE_CODE_SESSION_ACCESS_TOKEN: given, CLAUDE_SESSION_INGRESS_TOKEN_FILE: file } = variables;
      // A token that the parent process has set is newer than the token in the file.
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

/** Lets the host set a new token, in addition to the variables that the agent accepts. */
export function withTokens(agent: AgentOptions, tokens: Pick<AccessTokens, 'refresh'>): AgentOptions {
  const { names = [], onChange } = agent.environment ?? {};
  return {
    ...agent,
    environment: {
      names: [...TOKEN_NAMES, ...names],
      onChange(variables) {
        tokens.refresh(variables);
        onChange?.(variables);
      },
    },
  };
}

function epochOf({ CLAUDE_CODE_WORKER_EPOCH: text = '' }: Variables): number | undefined {
  if (text === '') return undefined;
  const epoch = Number(text);
  if (!Number.isSafeInteger(epoch)) throw new Error('CLAUDE_CODE_WORKER_EPOCH must be a whole number');
  return epoch;
}
