import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, variables } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');

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
  });

  it('counts an empty value as unset and drops the slash at the end of an address', () => {
    const config = readConfig({ PORT: '', PUBLIC_URL: 'https://tara.example/' }, ['--empty']);
    expect(config.port).toBe(3000);
    expect(config.publicUrl).toBe('https://tara.example');
    expect(config.empty).toBe(true);
  });

  it('starts empty in production', () => {
    expect(readConfig({ NODE_ENV: 'production', DOCUMENTS_KEY: key }, []).empty).toBe(true);
  });

  it.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must begin with postgres:// or postgresql://.'],
    [{ PUBLIC_URL: 'tara.example' }, 'PUBLIC_URL must be an address that begins with http:// or https://.'],
    [
      { ALLOWED_ORIGINS: 'https://a.example,b' },
      'ALLOWED_ORIGINS must be origins such as https://example.com, separated by commas.',
    ],
    [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must begin with smtp:// or smtps://.'],
    [{ MAIL_FROM: 'Tara\r\nBcc: x@example.com' }, 'MAIL_FROM must be an e-mail address, or Name <address>.'],
    [
      { DOCUMENTS_KEY: 'c2hvcnQ=' },
      'DOCUMENTS_KEY must be 32 bytes in base64 (openssl rand -base64 32 makes one).',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
    [{ TRUST_PROXY: 'all' }, 'TRUST_PROXY must be off or a number from 0 to 10.'],
    [
      { NODE_ENV: 'production', DOCUMENTS_KEY: key, RATE_LIMITS: 'off' },
      'RATE_LIMITS must be on in production.',
    ],
    [
      { PAYMONGO_SECRET_KEY: 'sk_live_x' },
      'PAYMONGO_SECRET_KEY needs SMTP_URL: with real payments the mailbox page is not loaded, so mails need a mail server.',
    ],
  ])('refuses %j with one line', (environment, message) => {
    expect(() => readConfig(environment, [])).toThrow(new ConfigError(message));
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
