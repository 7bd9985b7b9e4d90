import type { SessionOptions } from '@proto/core';
import type { MessageValidator } from '@proto/core/messages';
import { expectTypeOf } from 'vitest';

// A session accepts the validator of `./messages`, although neither imports the types of the other.
expectTypeOf<MessageValidator>().toExtend<NonNullable<SessionOptions['validate']>>();
