import { expect, it } from 'vitest';
import { missingCases, sdkCalls } from './calls.ts';
import type { Case } from './cases.ts';
import { openFixtures } from './fixture.ts';
import { runCases } from './run.ts';
import { casesText, mergeSweep, publishedCases, publishedSweep, tableRows } from './table.ts';
import { installedSdks, sweptTitles } from './versions.ts';

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
    const results = await runCases(fixtures, calls, installedSdks);
    expect(results.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    // The SDK for Node has no subscriptions.
    expect(results).toHaveLength(installedSdks.length * Object.values(selection).flat().length - 1);
    const wrong = await runCases(fixtures, [{ call: find('GET /account'), cases: [signOut] }], installedSdks);
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
  // Who is refused follows from the contract, and every error of the wire has a case.
  const withoutOutcome = (outcome: string) =>
    sdkCalls.map((call) => ({ ...call, cases: call.cases.filter((one) => one.outcome !== outcome) }));
  const upload = 'POST /storage/buckets/{bucketId}/files';
  for (const outcome of ['user_email_unverified', 'account_leaving', 'user_suspended'])
    expect(missingCases(withoutOutcome(outcome))).toContain(`${upload}: ${outcome}`);
  expect(missingCases(withoutOutcome('user_suspended'))).toContain('any call: user_suspended');
  // Without a call it is named by its row.
  expect(missingCases(others)).toContainEqual(expect.stringMatching(/^POST \/account \(.*\)[.;]?: success$/));
  // An error that a contract gets is missed by the command alone.
  const contractErrors = sdkCalls.flatMap(({ name, call }) =>
    call?.errors.map((error) => `${name}: ${error}`),
  );
  expect(missingCases().filter((one) => !contractErrors.includes(one))).toEqual([]);
});

it('has its tables in docs/backend-service.md', async () => {
  const table = (await publishedCases.read()).replace(/\*\*\d+ of (\d+)\*\*/g, '$1');
  const passing = tableRows(sdkCalls, installedSdks, null);
  expect(table, 'npm run conformance backend -- --write').toBe(casesText(passing));
  const titles = sweptTitles();
  expect(titles).toHaveLength(52);
  const sweep = await publishedSweep.read();
  expect(mergeSweep(sweep, [], titles)).toBe(sweep);
  expect(sweep).not.toContain('fails');
});

it('replaces the rows of the SDKs that ran, in the order of their versions', () => {
  const before = mergeSweep(
    '',
    [
      ['b 2', '25', ''],
      ['a 1', '24', '`x` **fails**'],
      ['gone 1', '25', ''],
    ],
    ['a 1', 'b 2', 'gone 1'],
  );
  const after = mergeSweep(
    before,
    [
      ['a 1', '25', ''],
      ['a 3', '25', ''],
    ],
    ['a 1', 'a 3', 'b 2'],
  );
  expect(
    after
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .join(' ')
          .trim(),
      ),
  ).toEqual([...['a 1 25', 'a 3 25', 'b 2 25']]);
});
