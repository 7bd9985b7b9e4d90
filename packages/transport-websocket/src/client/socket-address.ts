const SESSION = /\/v1\/code\/sessions\/([^/]+)\/?$/;

/**
 * The address of the WebSocket for a session: `https://HOST/v1/code/sessions/ID` becomes `wss://HOST/v1/sessions/ws/ID/subscribe`, even if the
 * address already begins with `wss:`. Any other path stays unchanged.
 */
export function socketAddress(address: URL): string {
  const url = new URL(address);
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  url.pathname = url.pathname.replace(SESSION, '/v1/sessions/ws/$1/subscribe');
  return url.href;
}
