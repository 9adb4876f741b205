import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Patterns of secrets. */
const secrets = {
  'a key of the payment provider': /\bsk_(?:live|test)_[A-Za-z0-9]{8,}/,
  'a signing secret of a webhook': /\bwhsk_[A-Za-z0-9]{8,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a cloud access key': /\bAKIA[0-9A-Z]{16}\b/,
  'a token of a code host': /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/,
  'an address with a password': /\b(?:postgres(?:ql)?|smtps?|https?):\/\/[^\s"'`/:@]+:[^\s"'`/@]+@/,
  'a password hash': /\$argon2id?\$v=/,
  'a signed token': /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./,
};

/** Patterns of server-only text: names of tables, settings and files. */
const serverOnly = {
  'a table or column of the database':
    /\b(?:ledger_entries|ledger_transfers|disbursement_amounts|provider_events|password_hash|secret_hash|audit_log|schema_migrations|graphile_worker)\b/,
  'a setting of the server':
    /\b(?:DATABASE_URL|DOCUMENTS_KEY|PAYMONGO_SECRET_KEY|PAYMONGO_WEBHOOK_SECRET|SMTP_URL|VAPID_PRIVATE_KEY)\b/,
  'the demo password': /tara-demo-\d{4}/,
  'a source of the server': /\b(?:server|sandbox|paymongo)\/src\//,
  'a source map': /[#@] sourceMappingURL=/,
};

/** Environment variables whose values must not be in the bundle. */
const secretVariables = [
  'DOCUMENTS_KEY',
  'PAYMONGO_SECRET_KEY',
  'PAYMONGO_WEBHOOK_SECRET',
  'SMTP_URL',
  'DATABASE_URL',
  'VAPID_PRIVATE_KEY',
];

/** The names of the findings in a text. The secret itself is not included. */
export function scanText(text, environment = process.env) {
  const matches = Object.entries({ ...secrets, ...serverOnly }).flatMap(([name, pattern]) =>
    pattern.test(text) ? [name] : [],
  );
  const values = secretVariables.flatMap((name) => {
    const value = environment[name];
    return value && value.length >= 8 && text.includes(value) ? [`the value of ${name}`] : [];
  });
  return [...matches, ...values];
}

/** Scans every file below a folder. Returns `{ files, findings: ['path: finding'] }`; a source map is a finding. */
export function scanFolder(folder, environment = process.env) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const findings = files.flatMap((path) => {
    const text = readFileSync(path, 'latin1');
    return [...(path.endsWith('.map') ? ['a source map'] : []), ...scanText(text, environment)].map(
      (finding) => `${path.slice(folder.length + 1)}: ${finding}`,
    );
  });
  return { files: files.length, findings: [...new Set(findings)] };
}

/**
 * Parses the output of `npm audit --json`: `{ state: 'clear' | 'vulnerable' | 'unknown', text }`. Without a report the
 * state is unknown.
 */
export function readAudit(output) {
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return { state: 'unknown', text: 'npm audit gave no report.' };
  }
  const counts = report?.metadata?.vulnerabilities;
  if (report?.error || typeof counts?.total !== 'number') {
    const reason = report?.error?.summary || report?.message || 'no counts in its report';
    return { state: 'unknown', text: `npm audit got no report from the registry: ${reason}` };
  }
  const names = Object.values(report.vulnerabilities ?? {}).map(
    ({ name, severity }) => `${name} (${severity})`,
  );
  return counts.total === 0
    ? { state: 'clear', text: 'npm audit reports no vulnerable package.' }
    : { state: 'vulnerable', text: `npm audit reports ${counts.total}: ${names.join(', ')}` };
}
