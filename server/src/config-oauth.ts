import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

/** What a provider calls Tara. */
export interface ClientKeys {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Providers that members may sign in at; undefined where no keys are configured. */
export interface OAuthConfig {
  readonly google: ClientKeys | undefined;
  readonly facebook: ClientKeys | undefined;
  readonly github: ClientKeys | undefined;
  readonly apple:
    | {
        readonly clientId: string;
        readonly teamId: string;
        readonly keyId: string;
        /** PKCS #8. */
        readonly privateKey: Buffer;
      }
    | undefined;
  readonly oidc: (ClientKeys & { readonly issuer: string }) | undefined;
}

const clientVariables = (name: string, title: string) => [
  {
    name: `${name}_CLIENT_ID`,
    default: '',
    what: `Client id of Tara at ${title}; with its secret, members can sign in there.`,
  },
  { name: `${name}_CLIENT_SECRET`, default: '', what: `Client secret of Tara at ${title}.` },
];

/** The variables of sign-in at other providers, as rows of the README's table. */
export const oauthVariables = [
  ...clientVariables('GOOGLE', 'Google'),
  ...clientVariables('FACEBOOK', 'Facebook'),
  ...clientVariables('GITHUB', 'GitHub'),
  {
    name: 'APPLE_CLIENT_ID',
    default: '',
    what: 'Services id of Tara at Apple; with the next three, members can sign in there.',
  },
  { name: 'APPLE_TEAM_ID', default: '', what: 'Team id at Apple.' },
  { name: 'APPLE_KEY_ID', default: '', what: 'Id of the private key at Apple.' },
  {
    name: 'APPLE_PRIVATE_KEY',
    default: '',
    what: 'Content of the .p8 file of Apple, with or without its first and last line.',
  },
  {
    name: 'OIDC_ISSUER',
    default: '',
    what: 'Issuer of any other provider that speaks OpenID Connect; with the next two, members can sign in there.',
  },
  ...clientVariables('OIDC', 'that provider'),
] as const;

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const isIssuer = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
  return isSafe && search === '' && hash === '';
};

/** The bytes of a key whose lines may be in one variable, with real or written line ends; null when it is invalid. */
function readPrivateKey(text: string): Buffer | null {
  const key = Buffer.from(text.replace(/-----[A-Z ]+-----|\\n|\s/g, ''), 'base64');
  try {
    const { asymmetricKeyDetails } = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    // Not a key.
    return null;
  }
}

const text = z.string().optional();

export const oauthEnvironment = {
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  FACEBOOK_CLIENT_ID: text,
  FACEBOOK_CLIENT_SECRET: text,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  APPLE_CLIENT_ID: text,
  APPLE_TEAM_ID: text,
  APPLE_KEY_ID: text,
  APPLE_PRIVATE_KEY: z
    .string()
    .transform(readPrivateKey)
    .refine((key) => key !== null, 'must be the private key of a .p8 file')
    .optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an https address without query, or http on this machine')
    .optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
};

type Values = z.output<z.ZodObject<typeof oauthEnvironment>>;

/** Variables of one provider, of which all or none are set. */
const groups: readonly (keyof Values)[][] = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
];

/** What is missing of a provider that is configured in part, as a sentence; null when nothing is. */
export function missingOAuthKeys(value: Values): string | null {
  for (const names of groups) {
    const missing = names.filter((name) => value[name] === undefined);
    if (missing.length > 0 && missing.length < names.length) {
      return `${missing.join(' and ')} must be set with ${names.filter((name) => !missing.includes(name)).join(' and ')}.`;
    }
  }
  return null;
}

const keys = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : undefined;

/** The providers whose variables are all set. */
export function oauthConfig(value: Values): OAuthConfig {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY, OIDC_ISSUER } = value;
  const oidc = keys(value.OIDC_CLIENT_ID, value.OIDC_CLIENT_SECRET);
  return {
    google: keys(value.GOOGLE_CLIENT_ID, value.GOOGLE_CLIENT_SECRET),
    facebook: keys(value.FACEBOOK_CLIENT_ID, value.FACEBOOK_CLIENT_SECRET),
    github: keys(value.GITHUB_CLIENT_ID, value.GITHUB_CLIENT_SECRET),
    apple:
      APPLE_CLIENT_ID && APPLE_TEAM_ID && APPLE_KEY_ID && APPLE_PRIVATE_KEY
        ? {
            clientId: APPLE_CLIENT_ID,
            teamId: APPLE_TEAM_ID,
            keyId: APPLE_KEY_ID,
            privateKey: APPLE_PRIVATE_KEY,
          }
        : undefined,
    oidc: oidc && OIDC_ISSUER ? { ...oidc, issuer: OIDC_ISSUER } : undefined,
  };
}
