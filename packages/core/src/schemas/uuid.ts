import * as z from 'zod/mini';
import { protocol } from './open.ts';

/** An id made by `randomUUID`. Any text passes: ids are compared and handed on, and agents other than the published one write their own. */
export const uuid = z.string().register(protocol, { type: 'UUID' });
