import { account, accounts } from './accounts/accounts.ts';
import { personalData } from './accounts/personal-data.ts';
import { secondFactor } from './accounts/second-factor.ts';
import { adminWork } from './admin.ts';
import type { Call } from './calls.ts';
import { counts } from './counts.ts';
import { files } from './files.ts';
import { interactions } from './interactions/interactions.ts';
import { blocks } from './members/blocks.ts';
import { profiles } from './members/profiles.ts';
import { publicLinks } from './members/public-links.ts';
import { reports } from './members/reports.ts';
import { verification } from './members/verification.ts';
import { conversations } from './messages/conversations.ts';
import { messages } from './messages/messages.ts';
import { receipts } from './messages/receipts.ts';
import { adminMoney } from './money/admin-money.ts';
import { caseFiles } from './money/case-files.ts';
import { admin } from './money/confirmations.ts';
import { disputes, requestCases } from './money/disputes.ts';
import { earnings } from './money/earnings.ts';
import { payments } from './money/payments.ts';
import { devices } from './notifications/devices.ts';
import { notifications } from './notifications/notifications.ts';
import { notificationSettings } from './notifications/settings.ts';
import { unsubscribe } from './notifications/unsubscribe.ts';
import { plans } from './plans/plans.ts';
import { reviews } from './plans/reviews.ts';
import { sharedPlans } from './plans/shared-plans.ts';
import { posts } from './posts/posts.ts';
import { search } from './search.ts';
import { accountTokens } from './wire/account-tokens.ts';
import { documents } from './wire/documents.ts';
import { oauth2 } from './wire/oauth2.ts';
import { storage } from './wire/storage.ts';

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
  search,
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
  notifications,
  notificationSettings,
  unsubscribe,
  counts,
  reviews,
  reports,
  sharedPlans,
  publicLinks,
  admin,
  adminWork,
  requestCases,
  adminMoney,
  caseFiles,
  payments,
  devices,
};

export type CallTables = typeof tables;

/** Every table of calls, by its name on the reference page. Only the server imports it; a screen imports its own tables. */
export const allCalls: CallTables & Readonly<Record<string, Readonly<Record<string, Call>>>> = tables;
