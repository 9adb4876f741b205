import { messageRequests, requestMessages } from './limits.ts';
import { invalidFileSize, notices } from './notices.ts';

/**
 * The catalogue of errors (§8). `type` is the backend service's where it has one; the message shown to people is
 * `title` and, where the specification has a second line, `text`. A sentence that the web also shows by itself is in
 * `notices` and is referred to here, so that the web's first load does not carry the whole catalogue.
 */
type Entry = { code: number; title: string; text?: string };

const problem = (code: number, title: string, text?: string): Entry =>
  text === undefined ? { code, title } : { code, title, text };

export const problems = {
  // Every call
  general_argument_invalid: problem(400, 'Some of the values are not valid.'),
  general_body_too_large: problem(413, 'The request is too large.'),
  general_headers_too_large: problem(431, 'The headers of the request are too large.'),
  general_timeout: problem(408, 'The request took too long.'),
  general_unauthorized_scope: problem(401, 'Please sign in to continue.'),
  general_unknown_origin: problem(403, 'This site may not make requests here.'),
  general_route_not_found: { code: 404, ...notices.pageNotFound },
  general_rate_limit_exceeded: problem(429, 'Too many attempts', 'please wait a moment and try again'),
  general_query_invalid: problem(400, 'A query of the list is not valid.'),
  general_cursor_not_found: problem(400, 'This list has changed', 'please load it again'),
  general_unknown: { code: 500, ...notices.generic },
  general_unavailable: problem(503, 'Tara is busy', 'please try again in a moment'),
  general_storage_full: problem(507, 'Tara is out of space', 'nothing was saved, please try again later'),
  project_not_found: problem(404, 'There is no such project.'),
  admin_own_record: problem(403, 'This is about you', 'another admin has to decide it'),
  admin_only: problem(403, 'Only an admin may do this.'),
  second_factor_setup_required: problem(
    403,
    'Please set up your second factor',
    'admin pages open with a code from your authenticator app',
  ),
  second_factor_required: problem(403, 'Please enter your code', 'admin pages ask for it every 12 hours'),
  recent_second_factor_required: problem(403, 'Please enter your code', 'sensitive actions require it'),
  second_factor_wrong: problem(
    400,
    'This code is not right',
    'codes from the app change every 30 seconds, and every code works once',
  ),
  second_factor_exists: problem(409, 'You have a second factor already.'),
  second_factor_setup_expired: problem(400, 'This setup has expired', 'please start again with a new code'),
  // Accounts
  user_already_exists: { code: 409, ...notices.accountCreationFailed },
  user_invalid_credentials: problem(401, 'Sign in failed. Please try again'),
  user_blocked: { code: 401, ...notices.accountClosed },
  user_suspended: problem(403, 'Your account is suspended'),
  user_invalid_token: problem(401, 'This link was already used or has expired', 'please request a new one'),
  user_jwt_invalid: problem(401, 'This token is wrong or has expired.'),
  user_jwt_creation_denied: problem(403, 'A token cannot make another token.'),
  user_session_already_exists: problem(401, 'You are already signed in.'),
  user_sign_in_again: problem(
    403,
    'Please sign in again',
    'your first password can be set within 15 minutes',
  ),
  user_session_not_found: problem(404, 'There is no such session.'),
  user_unauthorized: problem(401, 'You are not allowed to do this.'),
  user_password_mismatch: problem(400, 'The passwords do not match.'),
  user_password_common: problem(400, 'This password is too common', 'please choose another'),
  general_phone_disabled: problem(503, 'Text messages cannot be sent now.'),
  user_phone_not_found: problem(400, 'This account has no phone number.'),
  user_phone_already_verified: problem(409, 'This phone number is already confirmed.'),
  user_email_not_found: problem(400, 'This account has no email.'),
  user_email_already_verified: problem(409, 'This email is already confirmed.'),
  user_email_already_exists: problem(409, 'This email already has an account.'),
  user_phone_already_exists: problem(409, 'This phone number already has an account.'),
  user_auth_method_unsupported: problem(501, 'This way to sign in is not available.'),
  user_oauth2_bad_request: problem(400, 'This sign-in was already used or has expired', 'please start again'),
  user_oauth2_unauthorized: problem(401, 'The sign-in was cancelled or refused', 'please try again'),
  user_oauth2_provider_error: problem(
    424,
    'The other site did not answer as expected',
    'please try again later',
  ),
  user_identity_not_found: problem(404, 'There is no such way to sign in.'),
  user_identity_last: problem(
    409,
    'This is the only way into your account',
    'set a password or confirm an email first',
  ),
  shared_plan_not_found: problem(404, 'This link has ended', 'it was taken back, or the plan is over'),
  invitation_not_found: problem(404, 'This invitation has ended', 'you can join Tara without it'),
  plan_link_not_found: problem(
    404,
    'This plan is no longer shown here',
    'its creator ended the page, or it takes no requests now',
  ),
  account_consent_missing: problem(
    403,
    'You have not agreed to the terms yet',
    'agree to the terms and the privacy policy first',
  ),
  account_leaving: problem(403, 'Your account is about to be deleted', 'keep it to go on'),
  account_requests_open: problem(409, 'You have open paid requests'),
  account_deletion_begun: problem(409, 'This account is being deleted.'),
  account_export_too_soon: problem(429, 'You can request your data once a day'),
  account_export_not_found: problem(404, 'This download has expired.'),
  user_email_unverified: { code: 403, ...notices.unverifiedAction },
  user_recent_password_required: problem(403, 'Please confirm your password', 'sensitive actions require it'),
  user_password_wrong: problem(400, 'The password is not correct.'),
  // Files
  storage_file_empty: problem(400, 'Please choose a file.'),
  storage_file_type_unsupported: { code: 400, ...notices.unsupportedFileType },
  // Its text names the limit, so it stands in each answer.
  storage_invalid_file_size: problem(400, invalidFileSize(0).title),
  storage_invalid_file: problem(403, 'This file cannot be read as a picture', 'please choose another'),
  storage_file_already_exists: problem(409, 'A file with this id already exists.'),
  storage_unused_limit: problem(
    409,
    'You have too many unused pictures',
    'please use or remove them, or try again tomorrow',
  ),
  storage_upload_too_slow: problem(
    408,
    'Your upload took too long',
    'please try again with a better connection',
  ),
  storage_bucket_not_found: problem(404, 'There is no such bucket.'),
  storage_file_not_found: problem(404, 'There is no such file.'),
  storage_image_resolution_exceeded: problem(400, 'This preview has too many pixels.'),
  storage_invalid_range: problem(416, 'This range of bytes is not in the file.'),
  storage_invalid_content_range: problem(400, 'The range of this part is not valid.'),
  storage_invalid_appwrite_id: problem(400, 'The id of this upload is not valid.'),
  storage_unfinished_limit: problem(
    409,
    'You have too many unfinished uploads',
    'please finish or remove them, or try again tomorrow',
  ),
  // Documents
  database_not_found: problem(404, 'There is no such database.'),
  database_query_order_null: problem(
    400,
    'The list cannot go on after this document',
    'it has no value of the attribute that the list is ordered by',
  ),
  database_timeout: problem(408, 'The query took too long', 'please ask for less'),
  collection_not_found: problem(404, 'There is no such collection.'),
  document_not_found: problem(404, 'There is no such document.'),
  document_already_exists: problem(409, 'There is such a document already.'),
  document_invalid_structure: problem(400, 'Invalid document structure'),
  document_missing_data: problem(400, 'The data of the document is missing.'),
  document_missing_payload: problem(400, 'There is nothing to change: data and permissions are missing.'),
  // Members and posts
  profile_not_found: problem(404, 'There is no such member.'),
  block_own_profile: problem(400, 'You cannot block or mute yourself.'),
  block_limit_reached: problem(409, 'Your list is full', 'please remove somebody from it first'),
  friend_not_found: problem(404, 'This member is not on your friend list.'),
  profile_birth_date_fixed: problem(
    409,
    'Your birth date cannot be changed any more',
    'it belongs to your verification; an admin can correct it',
  ),
  profile_name_in_verification: problem(409, 'Your name cannot be changed now', 'an admin is verifying it'),
  post_not_found: problem(404, 'There is no such post.'),
  post_already_saved: { code: 409, ...notices.duplicateSave },
  // Reports
  report_not_found: problem(404, 'There is no such report.'),
  report_record_not_found: problem(404, 'There is nothing to report.'),
  report_own_record: problem(400, 'You cannot report yourself.'),
  report_already_sent: problem(409, 'You already reported this', 'an admin will look at it'),
  report_not_possible: problem(409, 'This is not possible for this report.'),
  // Verification
  verification_already_sent: problem(409, 'You already sent a request', notices.verificationSent.text),
  verification_birth_date_missing: problem(
    409,
    'The birth date is missing',
    'please enter it from the ID first',
  ),
  verification_not_found: problem(404, 'There is no such verification request.'),
  // Payments
  chargeback_not_found: problem(404, 'There is no such chargeback.'),
  payment_confirmation_not_found: problem(
    404,
    'There is no such confirmation.',
    'only who paid or received the money can read it',
  ),
  // Plans and requests
  plan_not_found: problem(404, 'There is no such plan.'),
  plan_creator_unverified: { code: 403, ...notices.unverifiedAction },
  plan_paused: problem(409, 'This plan takes no requests now', 'its creator is not verified at the moment'),
  plan_closed: problem(409, 'This plan takes no new requests', 'it is closed'),
  plan_price_above_limit: problem(
    409,
    'Its price is more than one payout carries',
    'please lower it, then open the plan again',
  ),
  plan_birth_date_missing: { code: 403, ...notices.birthDateMissing },
  plan_under_age: { code: 403, ...notices.underAge },
  plan_limit_reached: { code: 409, ...notices.planLimit },
  interaction_own_plan: problem(403, 'You cannot request your own plan.'),
  interaction_already_requested: { code: 409, ...notices.duplicateRequest },
  interaction_not_found: problem(404, 'There is no such request.'),
  interaction_time_taken: problem(409, 'This time is taken. Please choose another.'),
  interaction_not_allowed: problem(409, 'This is not possible now.'),
  request_decision_not_possible: problem(409, 'There is nothing to decide about this request.'),
  money_case_not_found: problem(404, 'This payout or refund does not exist.'),
  money_case_changed: problem(
    409,
    'Another amount is owed now.',
    'Nothing was recorded. Your reference is below, until you say whether the money left.',
  ),
  money_case_not_possible: problem(
    409,
    'Nothing of this waits for you.',
    'It is paid, on its way, or was tried again meanwhile.',
  ),
  dispute_assignment_not_possible: problem(
    409,
    'This dispute waits for no payment.',
    'It is decided, or another admin has assigned it.',
  ),
  plan_confirm_failed: { code: 409, ...notices.planConfirmFailed },
  // Receipts
  receipt_not_found: { code: 404, ...notices.receiptForbidden },
  // Chats
  chat_not_found: problem(404, 'There is no such chat.'),
  chat_closed: problem(409, 'This chat is closed', 'its plan was completed or cancelled'),
  chat_read_only: problem(409, 'This chat is read-only', 'you can no longer write to each other'),
  chat_expired: { code: 409, ...notices.expiredConversation },
  chat_request_text_only: problem(
    409,
    'Only text for now',
    'pictures can be sent once they accept your message request',
  ),
  chat_request_full: problem(
    409,
    'Your message request waits for an answer',
    `until they accept it you can send ${requestMessages} messages`,
  ),
  message_not_found: problem(404, 'There is no such message.'),
  conversation_not_found: problem(404, 'There is no such conversation.'),
  conversation_own: problem(403, 'You cannot write to yourself.'),
  conversation_requests_hourly: problem(
    429,
    'Too many new message requests',
    `you can write to ${messageRequests.perHour} people you do not know an hour: please try again later`,
  ),
  conversation_requests_waiting: problem(
    409,
    'Many of your message requests wait for an answer',
    `at most ${messageRequests.waiting} can wait at once: please write to others once some are accepted`,
  ),
  conversation_not_wanted: { code: 403, ...notices.messagesNotWanted },
  // Reviews
  review_not_found: problem(404, 'There is no such review.'),
  review_already_written: problem(409, 'You already wrote a review for this plan.'),
  review_edit_closed: problem(
    409,
    'This review can no longer be changed',
    'reviews can be edited for 24 hours',
  ),
  comment_not_found: problem(404, 'There is no such comment.'),
  review_not_yet: { code: 409, ...notices.reviewNotYet },
  // Notifications
  notification_group_fixed: problem(
    409,
    'These notifications stay on',
    'they are about your security, your money or your safety',
  ),
  unsubscribe_link_not_found: problem(
    404,
    'This link does not work',
    'you can choose in your settings what Tara mails you',
  ),
  device_not_found: problem(404, 'There is no such device.'),
  push_service_unknown: problem(
    400,
    'Notifications cannot reach this browser',
    'Tara does not know its push service',
  ),
  // Payment
  payment_link_failed: problem(502, 'The payment could not be prepared', 'please try again in a moment'),
  payment_signature_invalid: problem(401, 'The signature is not valid.'),
} satisfies Record<string, Entry>;

export type ProblemType = keyof typeof problems;

/** The reply of a failed call: the backend service's fields, and our own `title`, `text` and `fields`. */
export interface ProblemReply {
  message: string;
  code: number;
  type: string;
  version: string;
  /** By which clients of §7 know that a call failed. */
  status?: 'error';
  title: string;
  text?: string;
  /** The error message of each invalid field. */
  fields?: Record<string, string>;
  requestId?: string;
}

/** The notice of a problem, for a toast or a page. */
export function problemNotice(type: ProblemType): { title: string; text?: string } {
  const entry: Entry = problems[type];
  return entry.text === undefined ? { title: entry.title } : { title: entry.title, text: entry.text };
}

/** The `message` of an error reply. */
export function problemMessage(type: ProblemType): string {
  const { title, text } = problemNotice(type);
  return text === undefined ? title : `${title} - ${text}`;
}
