import { controlCancelFrame, controlRequestFrame, controlResponseFrame } from './control-frames.ts';
import { updateEnvironmentVariablesMessage } from './environment-variables.ts';
import { keepAliveMessage } from './keep-alive.ts';
import { queuedNotificationMessage } from './queued-notification.ts';
import { userMessage } from './user.ts';

/** Every message of a host, by `type`. */
export const messagesFromHost = {
  user: userMessage,
  control_request: controlRequestFrame,
  control_response: controlResponseFrame,
  control_cancel_request: controlCancelFrame,
  keep_alive: keepAliveMessage,
  update_environment_variables: updateEnvironmentVariablesMessage,
  queued_notification: queuedNotificationMessage,
};
