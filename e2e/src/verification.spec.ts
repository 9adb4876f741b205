import { acceptVerification, askToBeVerified } from './people.ts';
import { expect, test } from './server-fixture.ts';
import { readProfile } from './steps.ts';

test('somebody sends pictures of their papers, and the admin accepts them', async ({ admin, join, open }) => {
  const ana = await join('Ana');
  await askToBeVerified(await open(ana), 1);
  await acceptVerification(await open(admin), ana.name);
  expect((await readProfile(ana)).verified).toBe(true);
});
