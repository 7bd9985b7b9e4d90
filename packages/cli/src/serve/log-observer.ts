import type { AnsweredRequest, IngressObserver, ObservedAppend } from '@proto/ingress/operate';
import { type Log, plain } from '@proto/terminal/process';

export function logObserver(log: Log): IngressObserver | undefined {
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
