import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { IngressFigures, IngressObserver, MetricsEndpoint } from '../observe/observer.ts';
import { boundedLabels } from './bounded-labels.ts';

/** The metrics of one server. Pass the members of this object to `createIngress` or `listen` as options. */
export interface Metrics {
  /** Counts what happens in a server. Pass this observer as `observer` to `createIngress` or `listen`. */
  readonly observer: IngressObserver;
  /** Serves the metrics under `GET /metrics` to clients that send this token, which must have at least 16 characters. */
  endpoint(token: string): MetricsEndpoint;
  /** The registry of the metrics, to which you can add your own metrics. */
  readonly registry: Registry;
}

/** The maximum numbers of routes and of error types that are counted separately. A server has only about twenty of each. */
const MAX_ROUTES = 40;
const MAX_ERRORS = 40;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
/** The buckets, in seconds: from a request that is answered from memory up to a request that the client has given up on. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const APPEND_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/**
 * Creates the metrics of one server and its process, in a separate registry. The process metrics are CPU, memory, event-loop delay and garbage
 * collection.
 */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const observer = observerOf(registry);
  const show = gaugesOf(registry);
  return {
    observer,
    registry,
    endpoint: (token) => ({
      token,
      async read(figures) {
        show(figures);
        return { contentType: registry.contentType, text: await registry.metrics() };
      },
    }),
  };
}

function observerOf(registry: Registry): IngressObserver {
  const registers = [registry];
  const requests = new Counter({
    name: 'sjp_requests_total',
    help: 'Requests and upgrades that were answered, by route, method and status class.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'sjp_request_duration_seconds',
    help: 'The time until a request was answered; for an event stream, until the stream was open.',
    labelNames: ['route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'sjp_refusals_total',
    help: 'Requests and upgrades that were refused, by the type of the error.',
    labelNames: ['error'],
    registers,
  });
  const events = new Counter({ name: 'sjp_events_appended_total', help: 'Events that were stored.', registers });
  const appends = new Histogram({
    name: 'sjp_append_duration_seconds',
    help: 'The time until an append to the store was durable.',
    buckets: APPEND_SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'sjp_append_failures_total',
    help: 'Appends that were not stored, by the error code of the store.',
    labelNames: ['code'],
    registers,
  });
  const routeOf = boundedLabels(MAX_ROUTES);
  const errorOf = boundedLabels(MAX_ERRORS);
  return {
    answered({ route: pattern, method, status, ms, error }) {
      const route = routeOf(pattern);
      requests.inc({ route, method: METHODS.has(method) ? method : 'other', status: `${Math.floor(status / 100)}xx` });
      seconds.observe({ route }, ms / 1000);
      if (error !== undefined) refusals.inc({ error: errorOf(error) });
    },
    appended({ events: count, ms, error }) {
      if (error !== undefined) return failures.inc({ code: error });
      events.inc(count);
      appends.observe(ms / 1000);
    },
  };
}

function gaugesOf(registry: Registry): (figures: IngressFigures) => void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const sessions = gauge('sjp_sessions', 'Sessions in memory.');
  const queued = gauge('sjp_queued_bytes', 'Bytes that wait in this process for slow readers of streams.');
  const streams = new Gauge({
    name: 'sjp_streams',
    help: 'Open streams, by reader and kind. The streams of workers are the connections of workers.',
    labelNames: ['reader', 'kind'],
    registers,
  });
  const up = gauge('sjp_store_up', '1 if the store reported its size, otherwise 0.');
  const stored = gauge('sjp_store_sessions', 'Sessions in the store.');
  const bytes = gauge('sjp_store_bytes', 'Bytes of all messages and documents in the store.');
  return (figures) => {
    sessions.set(figures.sessions);
    queued.set(figures.queuedBytes);
    for (const { reader, kind, count } of figures.streams) streams.set({ reader, kind }, count);
    up.set(figures.store === undefined ? 0 : 1);
    if (figures.store === undefined) return;
    stored.set(figures.store.streams);
    bytes.set(figures.store.bytes);
  };
}
