import { nowMs } from '@tara/contract/clock';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';

/** Makes the value of a column in a row: what is inside it is marked by `label`. */
export type MakeValue = (label: string) => unknown;

const days = 86_400_000;

/**
 * Values that are nowhere else, each with the name of what it is, such as `profiles.bio`; `find` names those that a text
 * has, in whichever way it writes them.
 */
export function openMarks() {
  /** Each form of a mark, with the first one, which stands for it. */
  const forms = new Map<string, string>();
  const labels = new Map<string, string>();
  const binaries = new Map<string, string>();
  let count = 0;
  /** The ways to write a value that stands for a column. */
  const register = (label: string, mark: string, ...others: string[]) => {
    for (const form of [mark, ...others]) forms.set(form, mark);
    labels.set(mark, label);
    return mark;
  };
  const next = () => (++count).toString(36).padStart(4, '0');
  const text = (label: string) => register(label, `zq${next()}xk`);
  /** Every prefix of 8 characters is an id's own: the wire makes ids of two such. */
  const id = (label: string) => {
    const part = next();
    return register(label, `${part}zqid${part}zqid`);
  };
  const number = (label: string) => Number(register(label, String(7_000_000 + 13 * ++count)));
  /** Of centavos, which calls show as pesos. */
  const centavos = (label: string) => {
    const value = 7_000_000 + 100 * ++count + 13;
    register(label, String(value), (value / 100).toFixed(2));
    return value;
  };
  const time = (from: number) => (label: string) => {
    const at = new Date(Math.floor((nowMs() + from) / 1000) * 1000 + ++count * 1000 + 777);
    register(label, at.toISOString().slice(0, 23));
    return at;
  };
  const phone = (label: string) => {
    const rest = `917${5_000_000 + 7 * ++count}`;
    register(label, `63${rest}`, `0${rest}`, rest);
    return `+63${rest}`;
  };
  /** Like 0917…, as people write it into their profile. */
  const mobile = (label: string) => phone(label).replace('+63', '0');
  let dates = 0;
  const date = (label: string) =>
    register(label, new Date(Date.UTC(1991, 2, ++dates)).toISOString().slice(0, 10));
  const binary = (label: string) => {
    const value = Buffer.from(`bytes of ${next()} ${label}`);
    const mark = register(label, value.toString('hex'));
    for (const encoding of ['hex', 'base64', 'base64url', 'utf8'] as const)
      binaries.set(value.toString(encoding), mark);
    return value;
  };

  /** What a column of this type gets; undefined where its own default says it. */
  function valueFor(column: PgColumn): MakeValue | undefined {
    const { name, enumValues, hasDefault } = column;
    const type = column.getSQLType();
    if (type.startsWith('timestamp')) return time(-40 * days);
    if (type === 'text' && !enumValues && name === 'id') return id;
    if (type === 'text' && !enumValues && !name.endsWith('_id')) return text;
    if (type === 'text[]' && name === 'tags') return (label) => [text(label)];
    if (type === 'bytea') return binary;
    if (hasDefault || name === 'position' || name === 'sequence' || name === 'attempt') return undefined;
    if (name.endsWith('_centavos')) return centavos;
    return type === 'bigint' || type === 'integer' ? number : undefined;
  }

  return {
    ...{ text, id, number, centavos, phone, mobile, date, binary },
    past: time(-40 * days),
    future: time(9 * days),
    register,
    /** The columns that hold a mark by themselves, not by what was copied from another. */
    labels: () => new Set(labels.values()),
    /** A row with a mark in each column: in `cells`, and in those that are not named there; `of` tells rows of a table apart. */
    row<Table extends PgTable>(
      table: Table,
      cells: Record<string, unknown> = {},
      of = '',
    ): Table['$inferInsert'] {
      const row: Record<string, unknown> = {};
      for (const [key, column] of Object.entries(getTableColumns(table))) {
        if (column.generated || column.generatedIdentity) continue;
        const value = key in cells ? cells[key] : valueFor(column);
        const label = `${getTableConfig(table).name}${of}.${column.name}`;
        if (value !== undefined) row[key] = typeof value === 'function' ? value(label) : value;
      }
      return row as Table['$inferInsert'];
    },
    /** What a text has, each mark with its label. */
    find(source: string): Map<string, string> {
      const texts = new Map<string, string>();
      const look = (form: string) => {
        const mark = forms.get(form);
        if (mark !== undefined) texts.set(mark, labels.get(mark) ?? '');
      };
      for (const [form] of source.matchAll(
        /zq[0-9a-z]{4}xk|([0-9a-z]{4})zqid\1zqid|[0-9a-f]{64}|[0-9a-z]{20}/g,
      ))
        look(form);
      for (const [form] of source.matchAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.777|1991-\d\d-\d\d/g))
        look(form.replace(' ', 'T'));
      // Amounts for people have commas.
      for (const written of [source, source.replace(/(?<=\d),(?=\d{3})/g, '')])
        for (const [form] of written.matchAll(/\d{5,}(\.\d\d)?/g)) look(form);
      for (const [form, mark] of binaries) if (source.includes(form)) look(mark);
      return texts;
    },
  };
}
export type Marks = ReturnType<typeof openMarks>;
