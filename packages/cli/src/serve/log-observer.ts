import type { AnsweredRequest, IngressObserver, MetricsEndpoint, ObservedAppend } from '@proto/ingress/operate';
import { keepToken } from '@proto/remote';
import { type Log, plain } from '@proto/terminal/process';

/** What a server is observed with: its figures and its log. */
export interface Observation {
  readonly observer: IngressObserver | undefined;
  readonly metrics: MetricsEndpoint | undefined;
}

/** Observes a server for its figures, if the file with their token is given, and for its log, if requests or appends are logged. */
export async function observation(metricsTokenFile: string | undefined, log: Log): Promise<Observation> {
  const logged = loggedBy(log);
  if (metricsTokenFile === undefined) return { observer: logged, metrics: undefined };
  const token = await keepToken(metricsTokenFile);
  const { createMetrics } = await import('@proto/ingress/metrics');
  const { observer: counted, endpoint } = createMetrics();
  const observer: IngressObserver = {
    answered(request) {
      counted.answered?.(request);
      logged?.answered?.(request);
    },
    appended(append) {
      counted.appended?.(append);
      logged?.appended?.(append);
    },
  };
  return { observer, metrics: endpoint(token) };
}

function loggedBy(log: Log): IngressObserver | undefined {
  const [http, store] = [log.debugs('http'), log.debugs('store')];
  if (!http && !store) return undefined;
  return {
    ...(http && { answered: (request) => logRequest(log, request) }),
    ...(store && { appended: (append) => logAppend(log, append) }),
  };
}

function logRequest(log: Log, { method, path, status, error, ...rest }: AnsweredRequest): void {
  const ms = rounded(rest.ms);
  const text = plain([method, path, status, `${ms} ms`, error].filter((part) => part !== undefined).join(' '));
  log.write({ level: 'debug', event: 'request', text, fields: { method, path, status, ms, error } });
}

function logAppend(log: Log, { events, duplicates, error, ...rest }: ObservedAppend): void {
  const ms = rounded(rest.ms);
  const text = error === undefined ? `stored ${events} events in ${ms} ms` : `stored nothing: ${error}`;
  log.write({ level: 'debug', event: 'append', text, fields: { events, ms, error } });
  for (let dropped = 0; dropped < duplicates; dropped++) {
    log.write({ level: 'debug', event: 'duplicate', text: 'dropped a duplicate event', fields: {} });
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
