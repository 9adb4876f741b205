// The naming rules, checked on every declared name with the TypeScript compiler.
import { relative } from 'node:path';
import * as ast from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { root } from './paths.mjs';

/** Past participles used as nouns: they do not describe the value. */
const participles = new Set(['told', 'kept', 'asked', 'said', 'given', 'made', 'found']);

/** Allowed names of the form `xOfY`, each with its reason. At most ten. */
export const nameExceptions = new Map();

/** The reason why a declared name is refused, or null when it is allowed. */
export function refusalOf(name) {
  const base = name.replace(/^[#_$]+/, '');
  if (participles.has(base))
    return 'a past participle: name the value (event, args, stored, limit, request, rows)';
  if (/^[bB]are([A-Z]|$)/.test(base))
    return 'means nothing by itself: name the purpose (baseline, primitive)';
  if (nameExceptions.has(base)) return null;
  if (/^[oO]f[A-Z]/.test(base)) return 'begins with `of`: put the noun last (callHeaders)';
  if (/^[a-z][A-Za-z0-9]*Of[A-Z]/.test(base)) return 'has the form xOfY: write yX (documentsKey)';
  return null;
}

const declares = (node) =>
  ast.isVariableDeclaration(node) ||
  ast.isParameterDeclaration(node) ||
  ast.isBindingElement(node) ||
  ast.isFunctionDeclaration(node) ||
  ast.isFunctionExpression(node) ||
  ast.isClassDeclaration(node) ||
  ast.isInterfaceDeclaration(node) ||
  ast.isTypeAliasDeclaration(node) ||
  ast.isTypeParameterDeclaration(node) ||
  ast.isPropertySignatureDeclaration(node) ||
  ast.isMethodSignatureDeclaration(node) ||
  ast.isPropertyDeclaration(node) ||
  ast.isMethodDeclaration(node) ||
  ast.isGetAccessorDeclaration(node) ||
  ast.isSetAccessorDeclaration(node) ||
  ast.isPropertyAssignment(node);

/** Calls `visit(name, line)` for each name that a source file declares. Names in quotes are data, not names. */
function eachName(file, visit) {
  const walk = (node) => {
    const { name } = node;
    if (name && declares(node) && (ast.isIdentifier(name) || ast.isPrivateIdentifier(name))) {
      visit(name.text, file.text.slice(0, name.end).split('\n').length);
    }
    node.forEachChild(walk);
  };
  walk(file);
}

/** Every refused name below `folders` (each with a tsconfig.json), as `path:line name: reason`. */
export function refusedNames(folders, base = root) {
  const api = new API({ cwd: base });
  try {
    const snapshot = api.updateSnapshot({
      openProjects: folders.map((folder) => `${base}/${folder}/tsconfig.json`),
    });
    const refused = [];
    for (const project of snapshot.getProjects()) {
      for (const path of project.rootFiles) {
        if (/\.gen\.ts$|\/node_modules\//.test(path)) continue;
        eachName(project.program.getSourceFile(path), (name, line) => {
          const reason = refusalOf(name);
          if (reason) refused.push(`${relative(base, path)}:${line} ${name}: ${reason}`);
        });
      }
    }
    return refused;
  } finally {
    api.close();
  }
}
