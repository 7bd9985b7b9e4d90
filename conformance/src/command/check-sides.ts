import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import type { AgentOptions } from '../agent/agent-under-test.ts';
import { PromptMapError } from '../agent/prompt-map.ts';
import { testAgent } from '../agent/test-agent.ts';
import { testHost } from '../host/test-host.ts';
import { parseServerProfile } from '../server/server-profile.ts';
import { testServer } from '../server/test-server.ts';
import type { CommandIo } from './io.ts';
import { type CommandOptions, runConformance } from './run-command.ts';
import { readOption, UsageError } from './usage-error.ts';

/** The options of `sjp conformance agent`. */
export interface CheckAgentOptions extends CommandOptions {
  /** The command to run: the program and its arguments. */
  readonly command: readonly string[];
  /** The name of a prompt map, or a file that contains one. Default: the map that matches the agent's output for `-v`. */
  readonly prompts?: string;
}

/** The options of `sjp conformance host`. */
export interface CheckHostOptions extends CommandOptions {
  /** The command to run: the program and its arguments. */
  readonly command: readonly string[];
  /** Whether the program speaks the adapter protocol. Default false. */
  readonly adapter?: boolean;
  /** The features of a program that is not an adapter, by the names in docs/conformance-hosts.md. Default: only prompts. */
  readonly features?: readonly string[];
}

/** The options of `sjp conformance server`. */
export interface CheckServerOptions extends CommandOptions {
  /** The address of the server, such as `https://sessions.example`. */
  readonly url: string;
  /** The file with the tokens, the way to create a session, and the features that the server declares. */
  readonly tokens: string;
}

/** Runs `sjp conformance agent`. Returns the exit code. */
export function checkAgent({ command, prompts, ...options }: CheckAgentOptions, io: CommandIo): Promise<number> {
  return runConformance('agent', command.join(' '), options, io, async (test, onNote) => {
    const other = otherProgram(options);
    try {
      return await testAgent({
        ...test,
        agent: agentOf(named(command)),
        ...(prompts === undefined ? {} : { prompts }),
        ...(other === undefined ? {} : { compareWith: agentOf(other) }),
        onSlow: (timeoutScale, answerMs) =>
          onNote(
            `The agent is slow: an answer took ${(answerMs / 1000).toFixed(1)} s. All time limits are multiplied by ${timeoutScale}, as with --timeout-scale ${timeoutScale}.`,
          ),
        onPrompts: (promptMap, version) => {
          const reason = prompts === undefined ? `, because -v printed ${JSON.stringify(version)}` : '';
          onNote(`The prompt map is "${promptMap}"${reason}. To use another map, give --prompts FILE.`);
        },
      });
    } catch (error) {
      throw error instanceof PromptMapError ? new UsageError(error.message) : error;
    }
  });
}

/** Runs `sjp conformance host`. Returns the exit code. */
export function checkHost(
  { command, adapter, features, ...options }: CheckHostOptions,
  io: CommandIo,
): Promise<number> {
  return runConformance('host', command.join(' '), options, io, (test) => {
    const other = otherProgram(options);
    return testHost({
      ...test,
      command: named(command),
      ...(other === undefined ? {} : { compareWith: other }),
      ...(adapter === undefined ? {} : { adapter }),
      ...(features === undefined ? {} : { features }),
    });
  });
}

/** Runs `sjp conformance server`. Returns the exit code. */
export function checkServer({ url, tokens, ...options }: CheckServerOptions, io: CommandIo): Promise<number> {
  return runConformance('server', url, options, io, async (test) => {
    const profile = parseServerProfile(await readOption('The token file', tokens));
    return testServer({ ...test, url, profile });
  });
}

function agentOf([command, ...args]: readonly [string, ...string[]]): AgentOptions {
  return { command, args };
}

/** The path of a program can contain blanks. */
function otherProgram({ compareWith }: CommandOptions): [string, ...string[]] | undefined {
  if (compareWith === undefined) return undefined;
  return named(statSync(compareWith, { throwIfNoEntry: false }) ? [compareWith] : compareWith.trim().split(/\s+/));
}

/** A word that names a file of the working directory becomes an absolute path, because an agent is started in a different folder. */
function named([program, ...args]: readonly string[]): [string, ...string[]] {
  if (program === undefined)
    throw new UsageError('The command line of the program is missing: add -- and the program.');
  // A program without a slash is looked up in PATH.
  return [program.includes('/') ? wholePath(program) : program, ...args.map(wholePath)];
}

function wholePath(word: string): string {
  return statSync(word, { throwIfNoEntry: false })?.isFile() === true ? resolve(word) : word;
}
