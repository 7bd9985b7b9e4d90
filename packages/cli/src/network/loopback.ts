/** Whether a host name is of this machine alone. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(hostname);
}
