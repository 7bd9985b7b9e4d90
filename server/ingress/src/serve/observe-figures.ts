import type { IngressObserver, MetricsEndpoint } from '../observe/observer.ts';
import type { ServeOptions } from './serve-options.ts';

interface Observation {
  readonly observer: IngressObserver | undefined;
  readonly metrics?: MetricsEndpoint;
}

/** Adds figures to the observer of a server, if there is a token for them. Loads `prom-client` only then. */
export async function observeFigures({ metricsToken, observer: own }: ServeOptions): Promise<Observation> {
  if (metricsToken === undefined) return { observer: own };
  const { createMetrics } = await import('../metrics/metrics.ts');
  const { observer: counted, endpoint } = createMetrics();
  const observer: IngressObserver = {
    answered(request) {
      counted.answered?.(request);
      own?.answered?.(request);
    },
    appended(append) {
      counted.appended?.(append);
      own?.appended?.(append);
    },
  };
  return { observer, metrics: endpoint(metricsToken) };
}
