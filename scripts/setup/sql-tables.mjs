// Tables of another feature that SQL names in text, which dependency-cruiser cannot see.
import { parseSource, readSources, visitSource } from '../mutants/sources.mjs';

const featureOf = (path) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1];

/**
 * Every place where SQL of a feature names a table of another one, as `path:line table of feature`. What a feature
 * shows of its tables is in its index.ts, or is a view.
 * @param root a checkout.
 */
export function foreignTables(root) {
  const sources = [...readSources(root)].filter(([path]) => featureOf(path));
  const owners = new Map(
    sources.flatMap(([path, text]) =>
      [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table]) => [table, featureOf(path)]),
    ),
  );
  const places = new Set();
  for (const [path, text] of sources) {
    visitSource(path, text, (node) => {
      if (node.type !== 'TemplateElement') return;
      const sql = node.raw.replace(/--.*/g, '');
      for (const [match, after, before] of sql.matchAll(
        /\b(?:from|join|into|update)\s+"?(\w+)|\b(\w+)"?[.]\w/gi,
      )) {
        const owner = owners.get(after ?? before);
        if (owner === undefined || owner === featureOf(path)) continue;
        const index = parseSource(path, text).place(node).start + node.raw.indexOf(match);
        places.add(`${path}:${text.slice(0, index).split('\n').length} ${after ?? before} of ${owner}`);
      }
    });
  }
  return [...places];
}
