import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelTable, servedCalls } from './table.ts';

const services = ['account', 'databases', 'storage'] as const;

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
}

interface Source {
  name: string;
  version: string;
  models: Map<string, Field[]>;
  /** `GET /account/logs` → `LogList`; only the SDKs whose methods name both. */
  calls: Map<string, string>;
}

const simpleTypes: Record<string, string> = {
  ...{ string: 'string', number: 'number', boolean: 'boolean', object: 'object' },
  ...{
    String: 'string',
    int: 'integer',
    double: 'number',
    bool: 'boolean',
    Map: 'object',
    dynamic: 'unknown',
  },
  ...{ float: 'number', array: 'array' },
};

/** A type as the table names it: `string`, `File`, `File[]`. */
function typeName(text: string): string {
  const name = text.replace(/^(Models|models)\./, '').trim();
  const item = /^(?:List|list)<(.+)>$/.exec(name)?.[1] ?? /^(.+)\[\]$/.exec(name)?.[1];
  if (item !== undefined) return `${typeName(item)}[]`;
  const plain = name.replace(/<.*>$/, '');
  return simpleTypes[plain] ?? plain;
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

/** The text of a service; `''` where the source has none. */
const readService = (...path: string[]) => (existsSync(join(...path)) ? read(...path) : '');

/** @throws Error when the text has no such part. */
function match(pattern: RegExp, text: string, what: string): string {
  const part = pattern.exec(text)?.[1];
  if (part === undefined) throw new Error(`There is no ${what}.`);
  return part;
}

/** Adds the model of a call; the one of many documents has the path of the one of a single document, and comes after it. */
function addCall(calls: Map<string, string>, call: string, model: string): void {
  if (!calls.has(call)) calls.set(call, model);
}

/** Types of TypeScript: `export type File = { sizeActual: number; }`. */
function readTypeScript(folder: string): Source {
  const { name, version, types } = JSON.parse(read(folder, 'package.json')) as Record<string, string>;
  const text = read(folder, types?.replace(/index\.d\.ts$/, 'models.d.ts') ?? '').replace(
    /\/\*[\s\S]*?\*\//g,
    '',
  );
  const models = new Map<string, Field[]>();
  for (const [, model = '', body = ''] of text.matchAll(
    /export type (\w+)(?:<.*>)? = \{([\s\S]*?)\n? {0,4}\};/g,
  )) {
    const fields = [...body.matchAll(/^\s*([\w$]+)(\??): (.+);$/gm)];
    models.set(
      model,
      fields.map(([, field = '', optional, type = '']) => ({
        name: field,
        type: typeName(type),
        isRequired: optional === '',
      })),
    );
  }
  return { name: name ?? '', version: version ?? '', models, calls: new Map() };
}

/** Classes of Dart: `final int? sizeActual;` with its name on the wire, `sizeActual: map['sizeActual']`. */
function readDart(folder: string): Source {
  const version = match(/^version: (.+)$/m, read(folder, 'pubspec.yaml'), 'version');
  const models = new Map<string, Field[]>();
  for (const file of readdirSync(join(folder, 'lib/src/models'))) {
    const text = read(folder, 'lib/src/models', file);
    const model = /^class (\w+) /m.exec(text)?.[1];
    if (model === undefined) continue;
    const fields = [...text.matchAll(/^ +final (.+?)(\??) ([\w$]+);$/gm)].flatMap(
      ([, type = '', optional, field = '']): Field[] => {
        // `data` keeps the attributes of a document, which have no names of the wire.
        const isOnWire = text.includes(`"${field.replace('$', '\\$')}": `) && field !== 'data';
        return isOnWire ? [{ name: field, type: typeName(type), isRequired: optional === '' }] : [];
      },
    );
    models.set(model, fields);
  }
  const calls = new Map<string, string>();
  for (const service of services)
    for (const method of readService(folder, `lib/services/${service}.dart`).split(/^ {2}(?=Future)/m)) {
      const model = /^Future<models\.(\w+)>/.exec(method)?.[1];
      const path = /String apiPath =\s+'(.+?)'/.exec(method)?.[1];
      const verb =
        /HttpMethod\.(\w+)/.exec(method)?.[1] ?? (method.includes('chunkedUpload') ? 'post' : undefined);
      if (model && path && verb) addCall(calls, `${verb.toUpperCase()} ${path}`, model);
    }
  return { name: 'sdk-for-flutter', version, models, calls };
}

/** Classes of PHP: `public int $sizeActual,` with `array_key_exists('sizeActual', $data)` for what it requires. */
function readPhp(folder: string): Source {
  const source = join(folder, 'src/Appwrite');
  const version = match(/'x-sdk-version'\s*=>\s*'(.+?)'/, read(source, 'Client.php'), 'version');
  const models = new Map<string, Field[]>();
  for (const file of readdirSync(join(source, 'Models'))) {
    const text = read(source, 'Models', file);
    const model = /class (\w+)/.exec(text)?.[1];
    if (model === undefined) continue;
    const fields = [...text.matchAll(/^ +public (\??)(\w+) \$(\w+)/gm)].flatMap(
      ([, , type = '', property = '']): Field[] => {
        const wire = new RegExp(`\\b${property}: [\\s\\S]*?\\$data\\['([^']+)'\\]`).exec(text)?.[1];
        if (wire === undefined) return [];
        const list = new RegExp(`@param list<(\\w+)> \\$${property} `).exec(text)?.[1];
        const isRequired = text.includes(`!array_key_exists('${wire}', $data)`);
        return [{ name: wire, type: typeName(list === undefined ? type : `${list}[]`), isRequired }];
      },
    );
    models.set(model, fields);
  }
  const calls = new Map<string, string>();
  for (const service of services)
    for (const method of readService(
      source,
      `Services/${service[0]?.toUpperCase()}${service.slice(1)}.php`,
    ).split('public function')) {
      const model = /return \\Appwrite\\Models\\(\w+)::from/.exec(method)?.[1];
      const path = /\$apiPath = str_replace\([^']*(?:'[^/']*'[^']*|\$\w+,?\s*)*'(\/.+?)'/.exec(method)?.[1];
      const verb = /Client::METHOD_(\w+)/.exec(method)?.[1];
      if (model && path && verb) addCall(calls, `${verb} ${path}`, model);
    }
  return { name: 'sdk-for-php', version, models, calls };
}

function readSource(folder: string): Source {
  if (existsSync(join(folder, 'pubspec.yaml'))) return readDart(folder);
  if (existsSync(join(folder, 'composer.json'))) return readPhp(folder);
  return readTypeScript(folder);
}

/** The models of the calls, and those within them. */
function reachableModels(sources: readonly Source[], calls: Iterable<string>): string[] {
  const names = new Set(calls);
  for (const name of names)
    for (const { models } of sources)
      for (const { type } of models.get(name) ?? []) {
        const inner = type.replace(/\[\]$/, '');
        if (models.has(inner)) names.add(inner);
      }
  return [...names].sort();
}

const groupNames = (sources: readonly Source[]) =>
  [...Map.groupBy(sources, ({ name }) => name)].map(([name, versions]) => ({
    name,
    versions: versions.map(({ version }) => version),
  }));

/** The fields of a model, each as the sources have it; a package stands alone where all its versions agree. */
function mergeFields(sources: readonly Source[], model: string): ModelTable['models'][string] {
  const countVersions = (name: string) => sources.filter((source) => source.name === name).length;
  const rows = sources.flatMap((source) =>
    (source.models.get(model) ?? []).map((field) => ({ source, field })),
  );
  const merge = (of: readonly { source: Source }[]) =>
    groupNames(of.map(({ source }) => source)).flatMap(({ name, versions }) =>
      versions.length === countVersions(name) ? [name] : versions.map((version) => `${name} ${version}`),
    );
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ field }) => field.name)].map(([name, same]) => [
      name,
      Object.fromEntries(
        [...Map.groupBy(same, ({ field }) => `${field.type}${field.isRequired ? '' : '?'}`)].map(
          ([type, variant]) => [type, merge(variant)],
        ),
      ),
    ]),
  );
}

const byVersion = (left: Source, right: Source) =>
  left.name.localeCompare(right.name) || left.version.localeCompare(right.version, 'en', { numeric: true });

/** Reads the sources, each in a folder below `folder`. @throws Error when one of them is not understood. */
export function extractModels(folder: string): ModelTable {
  const sources = readdirSync(folder)
    .map((name) => readSource(join(folder, name)))
    .sort(byVersion);
  const calls = Object.fromEntries(
    [...new Map(sources.toReversed().flatMap((source) => [...source.calls]))]
      .filter(([call]) => servedCalls.has(call))
      .sort(([left], [right]) => left.localeCompare(right)),
  );
  return {
    sources: Object.fromEntries(groupNames(sources).map(({ name, versions }) => [name, versions])),
    calls,
    models: Object.fromEntries(
      reachableModels(sources, Object.values(calls)).map((name) => [name, mergeFields(sources, name)]),
    ),
  };
}
