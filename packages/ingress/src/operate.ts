export type {
  AnsweredRequest,
  IngressFigures,
  IngressObserver,
  MetricsEndpoint,
  MetricsText,
  ObservedAppend,
  OpenStreams,
} from './observe/observer.ts';
