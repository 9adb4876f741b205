import { accountTokens } from './account-tokens.ts';
import { account, accounts } from './accounts.ts';
import { adminWork } from './admin.ts';
import { adminMoney } from './admin-money.ts';
import { blocks } from './blocks.ts';
import type { Call } from './calls.ts';
import { admin } from './confirmations.ts';
import { conversations } from './conversations.ts';
import { disputes, requestCases } from './disputes.ts';
import { documents } from './documents.ts';
import { earnings } from './earnings.ts';
import { files } from './files.ts';
import { interactions } from './interactions.ts';
import { messages } from './messages.ts';
import { oauth2 } from './oauth2.ts';
import { payments } from './payments.ts';
import { personalData } from './personal-data.ts';
import { plans } from './plans.ts';
import { posts } from './posts.ts';
import { profiles } from './profiles.ts';
import { receipts } from './receipts.ts';
import { reports } from './reports.ts';
import { reviews } from './reviews.ts';
import { secondFactor } from './second-factor.ts';
import { sharedPlans } from './shared-plans.ts';
import { storage } from './storage.ts';
import { verification } from './verification.ts';

const tables = {
  account,
  accountTokens,
  oauth2,
  accounts,
  secondFactor,
  personalData,
  profiles,
  blocks,
  posts,
  files,
  storage,
  documents,
  verification,
  plans,
  interactions,
  earnings,
  disputes,
  receipts,
  conversations,
  messages,
  reviews,
  reports,
  sharedPlans,
  admin,
  adminWork,
  requestCases,
  adminMoney,
  payments,
};

export type CallTables = typeof tables;

/** Every table of calls, by its name on the reference page. Only the server imports it; a screen imports its own tables. */
export const allCalls: CallTables & Readonly<Record<string, Readonly<Record<string, Call>>>> = tables;
