import type { Database, Transaction } from '../../platform/database/connect.ts';

/** Whether a device accepted a push of the notification: then its email need not be sent. No device gets any yet. */
export async function wasPushed(_database: Database | Transaction, _id: string): Promise<boolean> {
  return false;
}

/** Whether a member has a device that gets pushes: then there is no daily email. No device gets any yet. */
export async function getsPushes(_database: Database | Transaction, _profileId: string): Promise<boolean> {
  return false;
}
