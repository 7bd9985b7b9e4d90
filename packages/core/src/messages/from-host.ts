import { controlCancelFrame, controlRequestFrame, controlResponseFrame } from './control-frames.ts';
import { updateEnvironmentVariablesMessage } from './environment-variables.ts';
import { keepAliveMessage } from './keep-alive.ts';
import { queuedNotificationMessage } from './queued-notification.ts';
import type { Infer } from './schema.ts';
import { userMessage } from './user.ts';

/** The schema of every message a host sends, by `type`. */
export const messagesFromHost = {
  user: userMessage,
  control_request: controlRequestFrame,
  control_response: controlResponseFrame,
  control_cancel_request: controlCancelFrame,
  keep_alive: keepAliveMessage,
  update_environment_variables: updateEnvironmentVariablesMessage,
  queued_notification: queuedNotificationMessage,
};

/** A message of a host, of one of the known kinds. */
export type MessageFromHost = Infer<(typeof messagesFromHost)[keyof typeof messagesFromHost]>;
