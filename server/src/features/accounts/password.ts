import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Password } from '@tara/contract/accounts/forms';
import { openFairQueue, type Requester } from '../../platform/fair-queue.ts';
import { Problem } from '../../platform/problem.ts';

/** Passwords of at least 8 characters that guessers try first, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
password password1 password12 password123 password1234 password12345 password! password1! password@123 p@ssword
p@ssw0rd p@ssw0rd1 p@ssword1 passw0rd passw0rd1 passwords pass1234 pass12345 pass@123 pass123456 passpass passport
password0 password01 password2 password3 password7 password99 password2020 password2021 password2022 password2023
password2024 password2025 password2026 mypassword mypassword1 yourpassword newpassword oldpassword thepassword
12345678 123456789 1234567890 12345678910 0123456789 01234567 0987654321 9876543210 987654321 87654321 11111111
111111111 1111111111 00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888
888888888 99999999 999999999 12341234 12344321 123123123 12312312 11223344 1122334455 112233445566 12121212 10101010
13131313 11112222 12345679 123456780 123456781 1234567899 123456712 147258369 159753456 147852369 123654789 741852963
789456123 321654987 123321123 1234512345 123123123123 98765432 43214321 10203040 102030405060 19891989 20002000
qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwerty11 qwerty01 qwertyu1
1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 qazwsxedc qazwsx123 zaq12wsx zaq1zaq1
!qaz2wsx 1qazxsw2 asdfghjk asdfghjkl asdfasdf asdf1234 asdfgh123 zxcvbnm1 zxcvbnm123 zxcvbnmm azertyuiop azerty123
abcd1234 abcdefgh abcdefghi abcdefg1 abc12345 abc123456 abcabcabc abcd12345 aa123456 aa12345678 a1234567 a12345678
a123456789 a1b2c3d4 a1b2c3d4e5 aaaaaaaa aaaaaaaaa 1234abcd 12345abc 123456abc 123456aa 1234567a 12345678a 123456789a
123qweasd 123qwe123 1234qwer 12345qwert qwer1234 qwe123456 qweasdzxc qweqweqwe asd123456 zxc123456 123abc123
iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveme1 ilovemom ilovegod ilovejesus iloveyouso
loveyou1 lovelove love1234 love12345 loveyou123 mylove123 mahalkita mahalkita1 mahalko123 mahalko1 iloveph1 pilipinas
philippines philippines1 pinoy123 pinoyako filipino filipina barkada1 manila123 maynila123 jollibee jollibee1
sunshine sunshine1 princess princess1 princess123 football football1 football123 baseball baseball1 basketball
basketball1 superman superman1 superman123 spiderman spiderman1 batman123 pokemon1 pokemon123 starwars starwars1
welcome1 welcome12 welcome123 welcome1234 welcome@123 welcome01 letmein1 letmein123 letmeinnow admin123 admin1234
admin12345 admin@123 admin123456 administrator adminadmin root1234 rootroot toor1234 guest123 guest1234 user1234
user12345 test1234 test12345 test123456 testtest testing1 testing123 tester123 default1 changeme changeme1 changeme123
secret123 secret12 temp1234 temppass login123 master123 masterkey system123 access14 access123 computer computer1
internet internet1 samsung1 samsung123 facebook facebook1 google123 whatever whatever1 trustno1 trustno1! michelle
michelle1 jennifer jennifer1 jessica1 jonathan danielle christian christian1 christopher charlie1 charlie123 michael1
michael123 anthony1 patricia victoria elizabeth alexander alexander1 benjamin benjamin1 samantha samantha1 stephanie
dragon123 monkey123 shadow123 killer123 hunter123 freedom1 freedom123 liverpool liverpool1 chelsea1 arsenal1 arsenal123
maverick corvette mustang1 mercedes porsche1 metallica slipknot1 blink182 nirvana1 december november september october1
summer123 summer2023 summer2024 summer2025 winter123 winter2024 winter2025 spring2024 autumn2024 january1 monday123
butterfly butterfly1 chocolate chocolate1 cocacola cocacola1 strawberry blueberry rainbow1 snowball snoopy123 mickey123
minecraft minecraft1 fortnite roblox123 pakistan pakistan1 indonesia malaysia1 india123 america1 canada123 hellohello
hello123 hello1234 hello12345 helloworld hello123! goodluck goodbye1 blessed1 jesus123 jesuschrist jesus777 godisgood
happy123 forever1 forever21 babygirl babygirl1 babyboy1 sweetheart sweetie1 cutiepie friends1 friends123 bestfriend
family123 mother123 father123 whatsapp instagram youtube1 zaq!2wsx zaq12wsxcde3 qwerty!@# !@#$%^&* !@#$%^&*( 1234!@#$
tarantara tara1234 tara12345 taratara
`
    .trim()
    .split(/\s+/),
);

const derive = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
    void argon2('argon2id', parameters, done),
);

/** OWASP's least for argon2id: 19 MiB (in KiB here), two passes, one lane; about 30 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };

/**
 * At most two hashes at once, and on two cores one: requests of everyone else find a core and a thread free. Callers
 * take turns. Who is known, by a session or by a device that signed in before, counts for their account alone, and
 * waits for nobody else behind their address.
 */
export const passwordShares = {
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  total: 2_000,
  account: { running: 1, total: 5 },
  // Those who sign in and sign up within one moment behind a carrier's address: the last waits for about ten seconds.
  address: { running: 1, total: 300 },
  network: { running: 1, total: 600 },
};
const queue = openFairQueue(passwordShares);

/** The same letters typed on another keyboard give the same bytes. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));
const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/**
 * Hashes a password for storage, as a PHC string.
 * @throws Problem `general_rate_limit_exceeded` when too many of the requester wait; `general_unavailable` when too many of all do
 */
export async function hashPassword(password: string, requester: Partial<Requester>): Promise<string> {
  const nonce = randomBytes(16);
  const key = await queue.run(requester, () =>
    derive({ ...cost, message: bytesOf(password), nonce, tagLength: 32 }),
  );
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(key)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** What an unknown email is compared with, so that it takes as long as a known one. No password has this key. */
const nobodysHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(randomBytes(16))}$${text(randomBytes(32))}`;

/**
 * Whether the password is the stored one. Without a stored one, or with an empty one, it takes as long and says no.
 * `begin` runs when it is the requester's turn, before the password is looked at.
 * @throws as `hashPassword`, and as `begin`
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  requester: Partial<Requester>,
  begin?: () => Promise<void>,
): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, key] = phc.exec(stored || nobodysHash) ?? [];
  if (nonce === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  const matches = await queue.run(requester, async () => {
    await begin?.();
    return derive({
      message: bytesOf(password),
      nonce: Buffer.from(nonce, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    });
  });
  return timingSafeEqual(matches, expected) && Boolean(stored);
}

/** @throws Problem `user_password_common` for a password that guessers try first. */
export function refuseCommon(password: string): void {
  if (commonPasswords.has(password.toLowerCase())) throw new Problem('user_password_common');
}

/** Holds a first password against the rules of a new one. @throws Problem `general_argument_invalid` | `user_password_common` */
export function requireNewPassword(password: string): void {
  const read = Password.safeParse(password);
  const message = read.error?.issues[0]?.message;
  if (message !== undefined) throw new Problem('general_argument_invalid', { fields: { password: message } });
  refuseCommon(password);
}
