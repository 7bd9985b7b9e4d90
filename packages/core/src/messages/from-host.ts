import {
  controlCancelFrame,
  controlRequestFrame,
  controlResponseFrame,
  type SDKControlCancelRequest,
  type SDKControlRequest,
  type SDKControlResponse,
} from './control-frames.ts';
import {
  type SDKUpdateEnvironmentVariablesMessage,
  updateEnvironmentVariablesMessage,
} from './environment-variables.ts';
import { keepAliveMessage, type SDKKeepAliveMessage } from './keep-alive.ts';
import { queuedNotificationMessage, type SDKQueuedNotificationMessage } from './queued-notification.ts';
import type { LazySchema, SchemaOf } from './schema.ts';
import { type SDKUserMessage, userMessage } from './user.ts';

/** Every message of a host, by `type`. */
export interface MessagesFromHost {
  user: SDKUserMessage;
  control_request: SDKControlRequest;
  control_response: SDKControlResponse;
  control_cancel_request: SDKControlCancelRequest;
  keep_alive: SDKKeepAliveMessage;
  update_environment_variables: SDKUpdateEnvironmentVariablesMessage;
  queued_notification: SDKQueuedNotificationMessage;
}

/** The schema of each message of a host. */
export const messagesFromHost: {
  readonly [Name in keyof MessagesFromHost]: LazySchema<SchemaOf<MessagesFromHost[Name]>>;
} = {
  user: userMessage,
  control_request: controlRequestFrame,
  control_response: controlResponseFrame,
  control_cancel_request: controlCancelFrame,
  keep_alive: keepAliveMessage,
  update_environment_variables: updateEnvironmentVariablesMessage,
  queued_notification: queuedNotificationMessage,
};

/** A message of a host, of one of the known kinds. */
export type MessageFromHost = MessagesFromHost[keyof MessagesFromHost];
