import { isOn, type Variables } from '../environment-variables.ts';
import type { HeadlessOptions } from './options.ts';

/** The error has the text that published agents use. Returns `undefined` if the flags do not conflict. */
export function problemOf(options: HeadlessOptions): string | undefined {
  const { outputFormat, inputFormat, verbose, sessionId, resume } = options;
  const streams = outputFormat === 'stream-json';
  const resumes = resume !== undefined || options.continue === true;
  const { teleport } = options;
  if (inputFormat === 'stream-json' && !streams)
    return '--input-format=stream-json requires --output-format=stream-json.';
  if (streams && verbose !== true) return 'When using --print, --output-format=stream-json requires --verbose';
  if (options.replayUserMessages && !(streams && inputFormat === 'stream-json')) {
    return '--replay-user-messages requires both --input-format=stream-json and --output-format=stream-json.';
  }
  if (options.includePartialMessages && !streams) {
    return '--include-partial-messages requires --print and --output-format=stream-json.';
  }
  if (options.mirror !== undefined && !streams) return '--mirror requires --output-format=stream-json.';
  if (options.mirror !== undefined && options.sdkUrl !== undefined) return '--mirror cannot be used with --sdk-url.';
  if (teleport !== undefined && resumes) return '--teleport cannot be used with --resume or --continue.';
  if (teleport !== undefined && options.sdkUrl !== undefined) return '--teleport cannot be used with --sdk-url.';
  if (options.awaitInitialize && inputFormat !== 'stream-json') {
    return '--await-initialize requires --input-format=stream-json.';
  }
  if (options.awaitInitialize && options.sdkUrl !== undefined) {
    return '--await-initialize cannot be used with --sdk-url: the hosts of a remote session do not use stdin.';
  }
  if (options.sessionMirror && options.sdkUrl !== undefined) {
    return '--session-mirror cannot be used with --sdk-url: the server of a remote session keeps its transcript.';
  }
  if (options.resumeSessionAt !== undefined && resume === undefined) return '--resume-session-at requires --resume';
  if (options.resumeDropsTurn !== undefined && options.resumeSessionAt === undefined) {
    return '--resume-drops-turn requires --resume-session-at';
  }
  if (sessionId !== undefined && !isUuid(sessionId)) return 'Invalid session ID. Must be a valid UUID.';
  if (sessionId !== undefined && teleport !== undefined && options.forkSession !== true) {
    return '--session-id can only be used with --teleport if --fork-session is also specified.';
  }
  if (sessionId !== undefined && resumes && options.forkSession !== true) {
    return '--session-id can only be used with --continue or --resume if --fork-session is also specified.';
  }
  return undefined;
}

/** Published agents also refuse to skip permissions as root outside a sandbox. */
export function unsafeFor(
  { permissionMode, dangerouslySkipPermissions }: HeadlessOptions,
  env: Variables,
  userId: number | undefined,
): string | undefined {
  const bypasses = permissionMode === 'bypassPermissions' || dangerouslySkipPermissions === true;
  if (!bypasses || userId !== 0 || isOn(env['IS_SANDBOX'])) return undefined;
  return 'root cannot skip permissions; in a sandbox, set IS_SANDBOX=1';
}

/** Returns warnings about flags that may not work as the caller expects. */
export function warningsAbout({ effort }: HeadlessOptions): readonly string[] {
  if (effort === undefined || EFFORTS.includes(effort)) return [];
  return [`Warning: unknown effort '${effort}'; the known efforts are ${EFFORTS.join(', ')}`];
}

/** A session is resumed by its id or by the path of its transcript. The command line then need not contain a prompt. */
export function isResuming({ resume, teleport }: HeadlessOptions): boolean {
  if (typeof teleport === 'string') return true;
  return typeof resume === 'string' && (isUuid(resume) || resume.endsWith('.jsonl'));
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
