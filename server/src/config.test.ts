import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { variables } from './config-variables.ts';

describe('the configuration', () => {
  it('is complete without any variable', () => {
    const config = readConfig({}, []);
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      rateLimits: true,
      production: false,
      empty: false,
      projectId: 'tara',
    });
    expect(config.dataDir).toMatch(/\/\.data$/);
    expect(config.payMongo).toBeUndefined();
    expect(config.payMongoLinks).toBe('classic');
  });

  it.each(variables.filter(({ name, default: value }) => value !== '' && name !== 'PUBLIC_URL'))(
    '$name that is not set is $default, as the documentation says',
    ({ name, default: value }) => {
      const real = { PAYMONGO_SECRET_KEY: 'sk_test_1', SMTP_URL: 'smtp://mail.example' };
      expect(readConfig({ ...real, [name]: value }, [])).toEqual(readConfig(real, []));
    },
  );

  it('counts an empty value as unset and drops the slash at the end of an address', () => {
    const config = readConfig({ PORT: '', PUBLIC_URL: 'https://tara.example/' }, ['--empty']);
    expect(config.port).toBe(3000);
    expect(config.publicUrl).toBe('https://tara.example');
    expect(config.empty).toBe(true);
  });

  it('starts empty in production', () => {
    expect(readConfig({ NODE_ENV: 'production', ALLOW_STAND_INS: '1' }, []).empty).toBe(true);
  });

  it.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres:// or postgresql://.'],
    [
      { REDIS_URL: 'redis://cache/main' },
      'REDIS_URL must end with the number of a database, or without one.',
    ],
    [
      { S3_ENDPOINT: 'store.example' },
      'S3_ENDPOINT must be an address that begins with http:// or https://.',
    ],
    [{ S3_ENDPOINT: 'https://store.example' }, 'S3_BUCKET must be set, because S3_ENDPOINT is.'],
    [{ S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_ENDPOINT must be set, because S3_SECRET_ACCESS_KEY is.'],
    [{ PUBLIC_URL: 'tara.example' }, 'PUBLIC_URL must be an address that begins with http:// or https://.'],
    [
      { ALLOWED_ORIGINS: 'appwrite-android://com.example/app' },
      'ALLOWED_ORIGINS must be origins such as https://example.com, separated by commas.',
    ],
    [
      { ALLOWED_ORIGINS: 'https://a.example,b' },
      'ALLOWED_ORIGINS must be origins such as https://example.com, separated by commas.',
    ],
    [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must begin with smtp:// or smtps://.'],
    [{ MAIL_FROM: 'Tara\r\nBcc: x@example.com' }, 'MAIL_FROM must be an email address, or Name <address>.'],
    [
      { DOCUMENTS_KEY: 'c2hvcnQ=' },
      'DOCUMENTS_KEY must be 32 bytes in base64 (openssl rand -base64 32 makes one).',
    ],
    [
      { DOCUMENTS_KEY: `${'A'.repeat(42)}!=` },
      'DOCUMENTS_KEY must be 32 bytes in base64 (openssl rand -base64 32 makes one).',
    ],
    [
      { SERVER_KEY: 'c2hvcnQ=' },
      'SERVER_KEY must be 32 bytes in base64 (openssl rand -base64 32 makes one).',
    ],
    [
      { SERVER_KEY: `${'A'.repeat(43)} # of the first node` },
      'SERVER_KEY must be 32 bytes in base64 (openssl rand -base64 32 makes one).',
    ],
    [
      { VAPID_PRIVATE_KEY: 'A'.repeat(43) },
      'VAPID_PRIVATE_KEY must be the private key of a P-256 pair, 32 bytes in base64url.',
    ],
    [
      { PUSH_HOSTS: 'push.example.com,10.0.0.1' },
      'PUSH_HOSTS must be names of hosts such as push.example.com or *.example.com, separated by commas.',
    ],
    [{ ALLOW_STAND_INS: 'yes' }, 'ALLOW_STAND_INS must be 0 or 1.'],
    [{ PAYMONGO_LINKS: 'both' }, 'PAYMONGO_LINKS must be classic or payment_links.'],
    [{ GOOGLE_CLIENT_ID: 'tara' }, 'GOOGLE_CLIENT_SECRET must be set with GOOGLE_CLIENT_ID.'],
    [
      { APPLE_CLIENT_ID: 'tara', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key', APPLE_PRIVATE_KEY: 'c2hvcnQ=' },
      'APPLE_PRIVATE_KEY must be the private key of a .p8 file.',
    ],
    [
      { OIDC_ISSUER: 'http://id.example' },
      'OIDC_ISSUER must be an https address without query, or http on this machine.',
    ],
    [{ DRAIN_DELAY: '1.5' }, 'DRAIN_DELAY must be a whole number from 0 to 600.'],
    [{ DRAIN_SECONDS: '0' }, 'DRAIN_SECONDS must be a whole number from 1 to 3600.'],
    [{ ROLE: 'both' }, 'ROLE must be web, worker or all.'],
    [
      { ROLE: 'worker', SMTP_URL: 'smtp://mail.example' },
      'ROLE=worker needs DATABASE_URL and PAYMONGO_SECRET_KEY: the embedded database, the mailbox page and the payment sandbox belong to one node, which does everything.',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
    [{ TRUST_PROXY: 'all' }, 'TRUST_PROXY must be off or a number from 0 to 10.'],
    [
      { NODE_ENV: 'production', ALLOW_STAND_INS: '1', RATE_LIMITS: 'off' },
      'RATE_LIMITS must be on in production.',
    ],
    [
      { PAYMONGO_SECRET_KEY: 'sk_live_x' },
      'PAYMONGO_SECRET_KEY needs SMTP_URL: with real payments the mailbox page is not loaded, so mails need a mail server.',
    ],
  ])('refuses %j with one line', (environment, message) => {
    expect(() => readConfig(environment, [])).toThrow(new ConfigError(message));
  });

  it('needs a mail server and a payment provider in production, unless stand-ins are allowed', () => {
    const real = { SMTP_URL: 'smtp://mail.example', PAYMONGO_SECRET_KEY: 'sk_live_x' };
    const production = { NODE_ENV: 'production' };
    expect(readConfig({ ...production, ...real }, []).payMongo?.secretKey).toBe('sk_live_x');
    for (const ALLOW_STAND_INS of ['', '0']) {
      expect(() => readConfig({ ...production, ALLOW_STAND_INS }, [])).toThrow(
        'SMTP_URL and PAYMONGO_SECRET_KEY must be set in production; ALLOW_STAND_INS=1 starts it on',
      );
      expect(() => readConfig({ ...production, ALLOW_STAND_INS, SMTP_URL: real.SMTP_URL }, [])).toThrow(
        /^PAYMONGO_SECRET_KEY must be set in production/,
      );
    }
    expect(readConfig({ ...production, ALLOW_STAND_INS: '1' }, []).payMongo).toBeUndefined();
  });

  it('refuses an unknown flag', () => {
    expect(() => readConfig({}, ['--emtpy'])).toThrow('--emtpy is not known; the only flag is --empty.');
  });

  it('documents each variable once', () => {
    const names = variables.map((variable) => variable.name);
    expect(new Set(names).size).toBe(names.length);
    expect(variables.every((variable) => variable.what.endsWith('.'))).toBe(true);
  });
});
