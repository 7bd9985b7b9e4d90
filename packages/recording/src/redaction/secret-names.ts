// Compared without case and dashes.
const SECRET =
  /(?:authorization|cookie|password|passwd|passphrase|pwd|secret|token|apikey|accesskey|accountkey|privatekey|clientkey|sessionkey|sharedkey|credentials?)$/;
const VARIABLE = /token|secret|passw|passphrase|key|credential|auth|cookie|dsn|private/i;
// Where something is, and not what it is.
const PLACE = /(?:sock|path|file|dir|home|host|url|xauthority)$/i;
const HARMLESS_HEADERS =
  /^(?:accept(?:-.*)?|cache-control|connection|content-(?:length|type|encoding|language)|date|host|origin|user-agent|anthropic-(?:version|beta)|x-request-id|last-event-id)$/i;

/** Whether a member of that name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replaceAll(/[-_.\s]/g, ''));
}

/** Whether an environment variable of that name does. */
export function isSecretVariable(name: string): boolean {
  return VARIABLE.test(name) && !PLACE.test(name);
}

/** Whether a member within one of that name does: any variable may, and most headers. */
export function isSecretWithin(container: string | undefined, name: string): boolean {
  if (container === 'env' || container === 'environment' || container === 'variables') return true;
  return container === 'headers' && !HARMLESS_HEADERS.test(name);
}
