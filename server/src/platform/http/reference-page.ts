import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d8dbe2, #3a3f4a); --soft: light-dark(#f4f5f8, #1e2128);
  --text: light-dark(#1c1f26, #e8eaf0); --quiet: light-dark(#565d6d, #a4abba); --accent: light-dark(#3f4fb0, #a7b2ff); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; color: var(--text);
  background: light-dark(#fff, #14161b); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.75rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; } h3 { margin: 1rem 0 .25rem; font-size: .95rem; }
p { margin: .25rem 0; } a { color: var(--accent); } .quiet { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-top: 1rem; }
nav a, summary { min-height: 2.75rem; align-content: center; }
details { border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .5rem; }
summary { cursor: pointer; padding: .5rem .75rem; overflow-wrap: anywhere; }
details > div { padding: 0 .75rem .75rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
.method { display: inline-block; min-width: 4rem; font-weight: 700; color: var(--accent); }
pre { margin: 0; padding: .75rem; overflow-x: auto; background: var(--soft); border-radius: .375rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem; margin: 0; }
dt { font: 700 .875rem/1.7 ui-monospace, monospace; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
`;

/** No script runs on the page, and no style but its own. */
export const referencePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: unknown) => String(text).replace(/[&<>"]/g, (character) => escapes[character] ?? '');

const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? { ...(value as Json) } : {};
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);
const schemaBlock = (schema: unknown) => `<pre tabindex="0">${html(JSON.stringify(schema, null, 2))}</pre>`;
const section = (title: string, content: string) => (content === '' ? '' : `<h3>${title}</h3>${content}`);
const rows = (entries: Array<[string, unknown]>) =>
  entries.length === 0
    ? ''
    : `<dl>${entries.map(([name, text]) => `<dt>${html(name)}</dt><dd>${html(text)}</dd>`).join('')}</dl>`;

/** The schemas of a body or reply, by content type. */
const contents = (part: unknown) =>
  Object.entries(record(record(part).content))
    .map(([type, media]) => `<p class="quiet">${html(type)}</p>${schemaBlock(record(media).schema)}`)
    .join('');

function operationBlock(path: string, method: string, operation: Json): string {
  const responses = Object.entries(record(operation.responses)).map(
    ([status, response]) => [status, record(response).description] as [string, unknown],
  );
  const success = Object.entries(record(operation.responses)).find(([status]) => status.startsWith('2'));
  const parameters = list(operation.parameters).map(
    ({ name, in: place, required, schema }) =>
      [String(name), `${place}${required ? ', required' : ''}\n${JSON.stringify(schema)}`] as [
        string,
        unknown,
      ],
  );
  return `<details id="${html(operation.operationId)}">
<summary><span class="method">${html(method.toUpperCase())}</span> <code>${html(path)}</code><br><span class="quiet">${html(operation.summary)}</span></summary>
<div><p>${html(operation.description)}</p>
${section('Parameters', rows(parameters))}${section('Body', contents(operation.requestBody))}
${section('Replies', rows(responses))}${section('Reply of success', success ? contents(success[1]) : '')}</div>
</details>`;
}

/** The reference page of an OpenAPI document, as one HTML text without scripts. */
export function referencePage(document: Json): string {
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(record(document.paths))) {
    for (const [method, value] of Object.entries(record(methods))) {
      const operation = record(value);
      const tag = Array.isArray(operation.tags) ? String(operation.tags[0]) : 'other';
      const blocks = byTag.get(tag) ?? [];
      blocks.push(operationBlock(path, method, operation));
      byTag.set(tag, blocks);
    }
  }
  const { title, description } = record(document.info);
  const links = [...byTag.keys()].map((tag) => `<a href="#${html(tag)}">${html(tag)}</a>`).join('');
  const groups = [...byTag].map(
    ([tag, blocks]) => `<section><h2 id="${html(tag)}">${html(tag)}</h2>${blocks.join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${html(title)}: calls</title>
<style>${style}</style></head><body>
<h1>${html(title)}</h1><p>${html(description)}</p>
<p><a href="/docs/openapi.json">OpenAPI document</a></p><nav aria-label="Groups of calls">${links}</nav>
<main>${groups.join('')}
<section><h2 id="errors">errors</h2><p>Every error has this shape.</p>${schemaBlock(record(record(document.components).schemas).Problem)}</section>
</main></body></html>`;
}
