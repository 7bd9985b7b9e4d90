import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of one page. */
export interface PageServer extends AsyncDisposable {
  readonly url: string;
  /** An expression for the value of a global variable of the page, as soon as the page has set it. */
  whenSet(name: string): string;
}

/** Serves a page that runs a module. The module is asked for when a browser loads it. */
export async function servePage(module: () => string): Promise<PageServer> {
  const server = createServer(({ url }, response) => {
    if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(module());
    else response.setHeader('content-type', 'text/html').end('<script type="module" src="/page.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    whenSet: (name) =>
      `(async () => { while (window.${name} === undefined) await new Promise((resolve) => setTimeout(resolve)); return window.${name}; })()`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
