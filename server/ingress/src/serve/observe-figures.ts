import type { IngressObserver, MetricsEndpoint } from '../observe/observer.ts';
import type { ServeOptions } from './serve-options.ts';

interface Observation {
  readonly observer: IngressObserver | undefined;
  readonly metrics?: MetricsEndpoint;
}

/** Adds metrics to a server's observer, if `metricsToken` is set. `prom-client` is loaded only in this case. */
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
