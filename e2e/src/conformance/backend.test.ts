import { expect, it } from 'vitest';
import { missingCases, sdkCalls } from './calls.ts';
import type { Case } from './cases.ts';
import { openFixtures } from './fixture.ts';
import { runCases } from './run.ts';
import { caseFaults, mergeCases, mergeSweep, publishedCases, publishedSweep } from './table.ts';
import { endTitles, installedSdks, sweptTitles } from './versions.ts';

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

it('the official SDKs take replies of 400 and above for errors, and others for success (§7-errors-status)', {
  timeout: 300_000,
}, async () => {
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
  expect(endTitles()).toEqual([
    ...['appwrite 10.2.0', 'appwrite 28.0.0', 'node-appwrite 14.2.0', 'node-appwrite 27.1.0'],
  ]);
  const cases = await publishedCases.read();
  expect(cases, 'npm run conformance backend -- --write').toBe(mergeCases(cases, [], sdkCalls, endTitles()));
  expect(caseFaults(cases, sdkCalls), 'npm run conformance backend -- --calls … --write').toEqual([]);
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

it('replaces what passed of the calls and SDKs that ran, and finds numbers that no run has', () => {
  const [one, two] = sdkCalls;
  if (one === undefined || two === undefined) throw new Error('There are calls.');
  const [all, others] = [one.cases.length, two.cases.length];
  const head = (...titles: string[]) => ['Call', ...titles, 'Outcomes'];
  const calls = [one, two];
  const first = mergeCases('', [head('a 1', 'b 2'), [one.name, '1', `${all}`, '']], calls, ['a 1', 'b 2']);
  expect(caseFaults(first, calls)).toEqual([
    `\`${one.name}\` with a 1: 1 of ${all}`,
    `\`${two.name}\` with a 1: not run of ${others}`,
    `\`${two.name}\` with b 2: not run of ${others}`,
  ]);
  const rows = [head('a 1'), [one.name, `${all}`, ''], [two.name, 'not in this SDK', '']];
  const second = mergeCases(first, rows, calls, ['a 1', 'b 2']);
  expect(caseFaults(second, calls)).toEqual([`\`${two.name}\` with b 2: not run of ${others}`]);
  const failed = mergeCases(second, [head('b 2'), [two.name, `**1 of ${others}**`, '']], calls, ['b 2']);
  expect(caseFaults(failed, calls)).toEqual([`\`${two.name}\` with b 2: **1 of ${others}** of ${others}`]);
});
