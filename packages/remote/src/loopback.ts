/** Whether a host name reaches this machine alone: `localhost`, `::1` or an address in `127.0.0.0/8`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(hostname);
}
