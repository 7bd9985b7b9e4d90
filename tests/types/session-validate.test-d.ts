import type { SessionOptions } from '@proto/core';
import type { MessageValidator } from '@proto/core/messages';
import { expectTypeOf } from 'vitest';

// A session takes what `./messages` makes, though neither knows the types of the other.
expectTypeOf<MessageValidator>().toExtend<NonNullable<SessionOptions['validate']>>();
