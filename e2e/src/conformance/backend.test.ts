import { expect, it } from 'vitest';
import { missingCases, sdkCalls } from './calls.ts';
import type { Case } from './cases.ts';
import { openFixtures } from './fixture.ts';
import { runCases } from './run.ts';
import { sdks } from './sdks.ts';
import { publishedTable, publishedText } from './table.ts';

const find = (name: string) => {
  const call = sdkCalls.find((one) => one.name === name);
  if (call === undefined) throw new Error(`There is no ${name}.`);
  return call;
};

/** What a run within seconds is about: `npm run conformance backend` runs all. */
const selection: Record<string, readonly string[]> = {
  'POST /account': ['general_unknown_origin', 'Missing required parameter'],
  'POST /account/sessions/email': ['success', 'user_invalid_credentials'],
  'GET /account': ['success', 'project_not_found'],
  'POST /account/jwt': ['success'],
  'POST /account/verification': ['success'],
  'POST /databases/{databaseId}/collections/{collectionId}/documents': ['success'],
  'GET /databases/{databaseId}/collections/{collectionId}/documents': ['general_query_invalid'],
  'GET /storage/buckets/{bucketId}/files/{fileId}/view': ['success'],
  'subscribe to a conversation': ['success'],
};

it('is passed by the official SDKs (§7-errors)', { timeout: 300_000 }, async () => {
  const calls = Object.entries(selection).map(([name, outcomes]) => {
    const call = find(name);
    const cases = outcomes.flatMap((outcome) => call.cases.find((one) => one.outcome === outcome) ?? []);
    expect(cases).toHaveLength(outcomes.length);
    return { call, cases };
  });
  const signOut: Case = {
    outcome: 'user_invalid_credentials',
    how: 'nothing, which is not what it says',
    run: (fixture, invoke) => invoke(fixture.guest()),
  };
  const fixtures = await openFixtures();
  try {
    const results = await runCases(fixtures, calls, sdks);
    expect(results.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    // The SDK for Node has no subscriptions.
    expect(results).toHaveLength(sdks.length * Object.values(selection).flat().length - 1);
    const wrong = await runCases(fixtures, [{ call: find('GET /account'), cases: [signOut] }], sdks);
    for (const { failure } of wrong) expect(failure).toMatch('answered 401 general_unauthorized_scope');
  } finally {
    await fixtures.close();
  }
});

it('has a row for each call of §7 and each error of the wire, or reports it', () => {
  const [first, ...others] = sdkCalls;
  if (first === undefined) throw new Error('There are calls.');
  const without = { ...first, cases: first.cases.filter(({ outcome }) => outcome !== 'user_already_exists') };
  expect(missingCases([without, ...others])).toContain(`${first.name}: user_already_exists`);
  // Without a call it is named by its row.
  expect(missingCases(others)).toContainEqual(expect.stringMatching(/^POST \/account \(.*\)[.;]?: success$/));
  // An error that a contract gets is missed by the command alone.
  const contractErrors = sdkCalls.flatMap(({ name, call }) =>
    call?.errors.map((error) => `${name}: ${error}`),
  );
  expect(missingCases().filter((one) => !contractErrors.includes(one))).toEqual([]);
});

it('has its table in docs/backend-service.md', async () => {
  const table = (await publishedTable.read()).replace(/\*\*\d+ of (\d+)\*\*/g, '$1');
  expect(table, 'npm run conformance backend -- --write').toBe(publishedText(sdkCalls, null));
});
