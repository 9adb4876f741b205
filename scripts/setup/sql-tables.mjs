// Tables of another feature that SQL names in text, which dependency-cruiser cannot see.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const featuresFolder = 'server/src/features';

/** The text of a source's template literals with its offset; interpolations and comments of SQL are blanked. */
export function templateTexts(source) {
  const texts = [];
  /** Reads code from `index` to a closing brace of an interpolation, or to the end; returns where it ended. */
  const readCode = (from) => {
    let depth = 0;
    for (let index = from; index < source.length; index++) {
      const character = source[index];
      if (source.startsWith('//', index)) index = (source.indexOf('\n', index) + 1 || source.length + 1) - 1;
      else if (source.startsWith('/*', index)) index = source.indexOf('*/', index) + 1;
      else if (character === "'" || character === '"') {
        for (index++; index < source.length && source[index] !== character; index++)
          if (source[index] === '\\') index++;
      } else if (character === '`') index = readTemplate(index + 1);
      else if (character === '{') depth++;
      else if (character === '}' && depth-- === 0) return index;
    }
    return source.length;
  };
  const readTemplate = (from) => {
    let text = '';
    let index = from;
    while (index < source.length && source[index] !== '`') {
      if (source.startsWith('${', index)) {
        const end = readCode(index + 2) + 1;
        text += source.slice(index, end).replace(/[^\n]/g, ' ');
        index = end;
      } else {
        const length = source[index] === '\\' ? 2 : 1;
        text += source.slice(index, index + length);
        index += length;
      }
    }
    texts.push({ text: text.replace(/--.*/g, (comment) => ' '.repeat(comment.length)), offset: from });
    return index;
  };
  readCode(0);
  return texts;
}

/**
 * Every place where SQL of a feature names a table of another one, as `path:line table of feature`. What a feature
 * shows of its tables is in its index.ts, or is a view.
 * @param root a checkout.
 */
export function foreignTables(root) {
  const folder = join(root, featuresFolder);
  const files = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.ts') && !/[.](test|fixture)[.]ts$|(^|[\\/])testing[.]ts$/.test(path))
    .sort()
    .map((path) => ({ path, feature: path.split(sep)[0], source: readFileSync(join(folder, path), 'utf8') }));
  const owners = new Map();
  for (const { feature, source } of files) {
    for (const [, table] of source.matchAll(/pgTable\(\s*'(\w+)'/g)) owners.set(table, feature);
  }
  const named = [];
  for (const { path, feature, source } of files) {
    for (const { text, offset } of templateTexts(source)) {
      for (const match of text.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)|\b(\w+)"?[.]\w/gi)) {
        const table = match[1] ?? match[2];
        const owner = owners.get(table);
        if (owner === undefined || owner === feature) continue;
        const line = source.slice(0, offset + match.index).split('\n').length;
        named.push(`${relative(root, join(folder, path)).replaceAll(sep, '/')}:${line} ${table} of ${owner}`);
      }
    }
  }
  return [...new Set(named)];
}
