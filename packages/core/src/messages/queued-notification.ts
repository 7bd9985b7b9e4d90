import { object } from './object-schema.ts';
import { type Infer, lazy, literal } from './schema.ts';

/** Schema of `SDKQueuedNotificationMessage`. */
export const queuedNotificationMessage = lazy(() => object({ type: literal('queued_notification') }));

/** A notification for an agent that has the capability `queued_notifications`; what else it carries is not known. */
export type SDKQueuedNotificationMessage = Infer<typeof queuedNotificationMessage>;
