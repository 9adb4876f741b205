// `npm run conformance models -- FOLDER`: reads the models of replies from sources of official SDKs, each in a folder below FOLDER:
// packages of npm (`appwrite`, `node-appwrite`, `react-native-appwrite`), and the SDKs for PHP and Flutter as they are published.
// It writes models/models.json, with which tests compare every reply of the backend service.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { extractModels } from './models/extract.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('npm run conformance models -- FOLDER');
const table = extractModels(folder);
const file = resolve(import.meta.dirname, 'models/models.json');
writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
console.log(`${file}: npm run fix formats it.`);
