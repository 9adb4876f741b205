import { setTimeout } from 'node:timers/promises';
import { accounts } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { Secret, TOTP } from 'otpauth';
import type { Client } from './client.ts';

const periodMs = 30_000;

/** An authenticator app with the secret of an admin. */
export class Authenticator {
  readonly #totp: TOTP;
  #lastStep = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  /** A code that was not returned before and is good now; a third one within 30 s is waited for. */
  async code(): Promise<string> {
    const step = Math.max(this.#totp.counter(), this.#lastStep + 1);
    this.#lastStep = step;
    // The server takes the code of the next step as well.
    await setTimeout(Math.max(0, (step - 1) * periodMs - Date.now()));
    return this.#totp.generate({ timestamp: step * periodMs });
  }

  /** A code that is wrong now and for the next minutes. */
  wrongCode(): string {
    const step = this.#totp.counter();
    const near = Array.from({ length: 20 }, (_, index) =>
      this.#totp.generate({ timestamp: (step + index - 5) * periodMs }),
    );
    const codes = Array.from({ length: near.length + 1 }, (_, index) => `${index}`.padStart(6, '0'));
    return codes.find((code) => !near.includes(code)) ?? '';
  }
}

/**
 * Sets up the second factor of an admin who just signed in, unless the client did so before; its calls then show it
 * whenever they need to.
 */
export async function setUpSecondFactor(client: Client): Promise<void> {
  const { createdAt } = await client.call(secondFactor.status);
  if (createdAt !== null && client.readCode) return;
  const { secret, setup } = await client.call(secondFactor.begin);
  const authenticator = new Authenticator(secret);
  // Before the reply: it may be lost.
  client.readCode = () => authenticator.code();
  await client.call(secondFactor.setUp, { body: { setup, code: await authenticator.code() } });
}

/** Lets an admin of the demo world take the codes that its sign-in page shows. */
export function useDemoCodes(client: Client, email: string): void {
  client.readCode = async () => {
    for (;;) {
      const offered = await client.call(accounts.demo);
      const code = offered.accounts.find((account) => account.email === email)?.code;
      if (code) return code;
      await setTimeout(1000);
    }
  };
}
