import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const queuedNotificationMessage = openObject({ type: z.literal('queued_notification') }).register(protocol, {
  id: 'SDKQueuedNotificationMessage',
  description: 'A notification for an agent that has the capability `queued_notifications`; what else it carries is not known.',
});
