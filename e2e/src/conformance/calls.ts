import { problems } from '@tara/contract/problems';
import rows from '../../../docs/specification-rows.json' with { type: 'json' };
import { accountCalls } from './account/account.ts';
import { confirmationCalls } from './account/confirmations.ts';
import { oauthCalls } from './account/oauth.ts';
import { sessionCalls } from './account/sessions.ts';
import { settingCalls } from './account/settings.ts';
import { signInCalls } from './account/sign-in.ts';
import { tokenCalls } from './account/tokens.ts';
import { accessErrors, type SdkCall } from './cases.ts';
import { readCalls } from './documents/read.ts';
import { writeCalls } from './documents/write.ts';
import { fileCalls } from './files/files.ts';
import { uploadCalls } from './files/upload.ts';
import { subscriptionCalls } from './realtime/subscriptions.ts';
import { isWireError, requiredErrors, unprovokedErrors } from './required.ts';

/** The calls of §7 with their cases: the one list that the run, the table and the check of both are made from. */
export const sdkCalls: readonly SdkCall[] = [
  ...accountCalls,
  ...settingCalls,
  ...signInCalls,
  ...sessionCalls,
  ...confirmationCalls,
  ...tokenCalls,
  ...oauthCalls,
  ...readCalls,
  ...writeCalls,
  ...uploadCalls,
  ...fileCalls,
  ...subscriptionCalls,
];

/** Rows of the specification for the backend service. */
export const backendRows = Object.keys(rows).filter((row) =>
  /^§7-(account|documents|files|realtime)-/.test(row),
);

const isUnprovoked = (row: string, outcome: string) =>
  outcome in unprovokedErrors || `${row} ${outcome}` in unprovokedErrors;

/** What §7, the wire and the contract have, and no case proves: `POST /account: user_already_exists`. */
export function missingCases(calls: readonly SdkCall[] = sdkCalls): string[] {
  const proven = new Set(calls.flatMap(({ cases }) => cases.map(({ outcome }) => outcome)));
  const unproven = Object.keys(problems).filter(
    (type) => isWireError(type) && !proven.has(type) && !(type in unprovokedErrors),
  );
  const missing = [...new Set([...backendRows, ...Object.keys(requiredErrors)])].flatMap((row) => {
    const rowCalls = calls.filter((call) => call.row === row);
    const name = rowCalls[0]?.name ?? rows[row as keyof typeof rows] ?? row;
    const outcomes = new Set(rowCalls.flatMap(({ cases }) => cases.map(({ outcome }) => outcome)));
    const wanted = new Set([
      'success',
      ...(requiredErrors[row] ?? []),
      ...rowCalls.flatMap(({ call }) => (call === null ? [] : [...call.errors, ...accessErrors(call)])),
    ]);
    return [...wanted]
      .filter((outcome) => !outcomes.has(outcome) && !isUnprovoked(row, outcome))
      .map((outcome) => `${name}: ${outcome}`);
  });
  return [...missing, ...unproven.map((type) => `any call: ${type}`)];
}
