import type { Random } from '../../schedules/random.ts';
import type { Room } from './room.ts';

/** Something that somebody does in a session; what is at random in it comes from its number alone. `step` names it with that number. */
export type Step = (room: Room, random: Random, step: string) => Promise<void>;
