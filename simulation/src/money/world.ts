import type { Database } from '@tara/server/platform/database/connect';
import { insertPlan } from '@tara/server/testing/features/interactions';
import { insertMember, type Member } from '@tara/server/testing/features/members';
import { type World as Lives, openWorld as openLives } from '../lives/world.ts';
import { Provider } from './provider.ts';

export interface Plan {
  id: string;
  creator: number;
}

/** People who ask for plans, offer them and look after the money, and the plans. */
interface People {
  clients: readonly Member[];
  creators: readonly Member[];
  admins: readonly Member[];
  plans: readonly Plan[];
}

/** What all lives of money share. */
export type World = Lives & People & { provider: Provider };

/** Makes a database simulated that has every migration and no rows. */
export async function openWorld(url: string): Promise<World> {
  const world = await openLives(url, insertPeople);
  const provider = await Provider.open(world.folder);
  return {
    ...world,
    provider,
    close: async () => {
      await provider.close();
      await world.close();
    },
  };
}

async function insertPeople(database: Database): Promise<People> {
  const make = async (role: string, count: number, more: Parameters<typeof insertMember>[1]) => {
    const members: Member[] = [];
    for (let index = 1; index <= count; index++) {
      const id = `${role}${index}`;
      const person = { id, accountId: id, name: id, email: `${id}@example.com` };
      members.push(await insertMember(database, { ...person, ...more }));
    }
    return members;
  };
  const clients = await make('client', 3, { verified: true });
  const creators = await make('creator', 2, { verified: true, phoneNumber: '+63 917 123 4567' });
  const admins = await make('admin', 2, { admin: true });
  const plans: Plan[] = [];
  for (const [index, { creator, priceCentavos }] of planRows.entries()) {
    const owner = creators[creator];
    if (!owner) throw new Error('a plan has no creator');
    const id = `plan${index + 1}`;
    await insertPlan(database, owner, { id, priceCentavos });
    plans.push({ id, creator });
  }
  return { clients, creators, admins, plans };
}

/** Two plans cost the same: an amount alone does not tell their payments apart. */
const planRows = [
  { creator: 0, priceCentavos: 250_00 },
  { creator: 0, priceCentavos: 999_99 },
  { creator: 1, priceCentavos: 250_00 },
];
