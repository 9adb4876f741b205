import type { Database, Transaction } from '../../platform/database/connect.ts';

/** Whether a device accepted a push of the notification: then its email need not be sent. No device gets any yet. */
export async function wasPushed(_database: Database | Transaction, _id: string): Promise<boolean> {
  return false;
}
