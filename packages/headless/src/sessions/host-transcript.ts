import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SessionMirrorOptions } from '@proto/agent';
import type { Variables } from '../environment-variables.ts';
import { type HeadlessOptions, PROTOCOL_VERSION } from '../flags/options.ts';

// Hosts shorten longer names and add a hash.
const MAX_NAME_LENGTH = 200;

/**
 * Returns the folder in which a host with its own session store expects the sessions of a working directory. Such a host computes the key of a
 * session from this path, so the name must be the same as the name that hosts compute, even if the folder does not exist.
 */
export function hostProjectDirectory(cwd: string, { CLAUDE_CONFIG_DIR, HOME }: Variables): string {
  const configuration = CLAUDE_CONFIG_DIR ? resolve(cwd, CLAUDE_CONFIG_DIR) : join(HOME || homedir(), '.claude');
  return join(configuration, 'projects', nameOf(cwd));
}

/** Returns `undefined` if the host does not request `transcript_mirror` messages or does not read every message. */
export function sessionMirrorOf(
  { sessionMirror, outputFormat, forkSession = false, teleport }: HeadlessOptions,
  env: Variables,
  sessionId: string,
): SessionMirrorOptions | undefined {
  if (sessionMirror !== true || outputFormat !== 'stream-json') return undefined;
  const cwd = process.cwd();
  return {
    filePath: join(hostProjectDirectory(cwd, env), `${sessionId}.jsonl`),
    cwd,
    version: PROTOCOL_VERSION,
    entrypoint: entrypointOf(env),
    // The host's store does not contain the first messages of such a session under this id.
    includesHistory: forkSession || teleport !== undefined,
  };
}

/** The value that the host has set, otherwise `sdk-cli`. Session lists in editors use this member to hide sessions that programs started. */
export function entrypointOf({ CLAUDE_CODE_ENTRYPOINT: name = '' }: Variables): string {
  return /^[\w-]{1,64}$/.test(name) ? name : 'sdk-cli';
}

function nameOf(cwd: string): string {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}-${hashOf(cwd)}`;
}

function hashOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}
