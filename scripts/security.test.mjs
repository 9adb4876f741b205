import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAudit, scanFolder } from './setup/bundle-scan.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-bundle-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'index.js'), 'const greeting="Tara";fetch("/api/account/session")');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addFile = (text, name = 'chunk.js') => writeFileSync(join(folder, 'assets', name), text);

describe('the scan of the browser bundle', () => {
  it('finds nothing in a harmless bundle', () => {
    expect(scanFolder(folder, {})).toEqual({ files: 1, findings: [] });
  });

  // Assembled at run time, so that secret scanners do not report this file.
  it.each([
    ['a key of the payment provider', `x="${'sk_'}live_${'a1B2'.repeat(6)}"`],
    ['a signing secret of a webhook', `x="${'wh'}sk_${'a1B2'.repeat(6)}"`],
    ['a private key', `${'-----BEGIN'} RSA PRIVATE KEY-----`],
    ['a cloud access key', `x="${'AK'}IA${'ABCD'.repeat(4)}"`],
    ['a token of a code host', `x="${'gh'}p_${'a1B2'.repeat(9)}"`],
    ['an address with a password', 'x="postgres://tara:secret@db.example/tara"'],
    ['a password hash', 'x="$argon2id$v=19$m=19456"'],
    ['a signed token', `x="${'ey'}J${'hbGciOiJIUz'}.${'ey'}J${'zdWIiOiIxMj'}.sig"`],
    ['a table or column of the database', 'select password_hash from accounts'],
    ['a setting of the server', 'process.env.DATABASE_URL'],
    ['the demo password', 'x="tara-demo-2026"'],
    ['a source of the server', '/* server/src/app.ts */'],
    ['a source map', '//# sourceMappingURL=chunk.js.map'],
  ])('finds %s (threat-leaked-secrets)', (finding, text) => {
    addFile(`var a=1;${text};var b=2`);
    expect(scanFolder(folder, {}).findings).toEqual([`assets/chunk.js: ${finding}`]);
  });

  it('finds the value of a secret setting, and does not print it', () => {
    const value = 'c3VwZXIgc2VjcmV0IGtleSBvZiBkb2N1bWVudHM=';
    addFile(`x="${value}"`);
    const { findings } = scanFolder(folder, { DOCUMENTS_KEY: value });
    expect(findings).toEqual(['assets/chunk.js: the value of DOCUMENTS_KEY']);
    expect(findings.join()).not.toContain(value);
  });

  it('finds a source map beside the bundle', () => {
    addFile('{"version":3}', 'chunk.js.map');
    expect(scanFolder(folder, {}).findings).toEqual(['assets/chunk.js.map: a source map']);
  });
});

describe('the output of npm audit (threat-dependencies)', () => {
  it.each([
    ['no report', '', 'unknown'],
    ['a page of a proxy', '<html>', 'unknown'],
    ['an error', '{"error":{"code":"ENOAUDIT","summary":"Not found"}}', 'unknown'],
    ['a message of a registry without audits', '{"message":"404 Not Found","method":"POST"}', 'unknown'],
    ['a report without counts', '{}', 'unknown'],
    ['a clear report', '{"metadata":{"vulnerabilities":{"total":0}}}', 'clear'],
    [
      'a vulnerable package',
      '{"metadata":{"vulnerabilities":{"total":1}},"vulnerabilities":{"x":{"name":"x","severity":"high"}}}',
      'vulnerable',
    ],
  ])('%s: %s', (_name, output, state) => {
    expect(readAudit(output).state).toBe(state);
  });
});
