import type { Random } from '../../schedules/random.ts';
import type { Room } from './room.ts';

/** An action of a client or a worker in a session. Its random choices depend on its number alone. `step` is the name with this number. */
export type Step = (room: Room, random: Random, step: string) => Promise<void>;
