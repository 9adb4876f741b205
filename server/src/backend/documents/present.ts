import type { Document } from '@tara/contract/wire/documents';
import { is } from 'drizzle-orm';
import { PgColumn } from 'drizzle-orm/pg-core';
import { wireTime } from '../../platform/wire-time.ts';
import {
  type Attribute,
  type DocumentSource,
  type Expression,
  isRelation,
  type Reader,
  type Relation,
} from './collection.ts';

type Cells = readonly unknown[];

/** A compiled source: what is selected, and what makes a document of one row of it. */
export interface DocumentReader {
  cells: Expression[];
  read(cells: Cells, reader: Reader): Document | null;
  /** Accounts that may see more of it than others, those of the documents inside it among them. */
  parties(cells: Cells): string[];
}

/** Postgres' text of a time, as the wire has it. */
function timeOf(value: unknown): string {
  const text = String(value);
  // As sessions of UTC write it, without zeros at the end: a date for each is a tenth of a page's time.
  const isUsual = text[4] === '-' && text[10] === ' ' && text.endsWith('+00');
  if (!isUsual) return wireTime(new Date(text));
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}+00:00`;
}

function valueReader(
  { type, present, cells }: Attribute,
  from: number,
): (row: Cells, reader: Reader) => unknown {
  if (present) return (row, reader) => present(row.slice(from, from + cells.length), reader);
  if (type === 'time') return (row) => (row[from] === null ? null : timeOf(row[from]));
  const [column] = cells;
  // Lists, and numbers that the driver gives as text.
  if (is(column, PgColumn) && !['string', 'number', 'boolean'].includes(column.dataType))
    return (row) => (row[from] === null ? null : column.mapFromDriverValue(row[from]));
  return (row) => row[from];
}

/** Compiles how documents of a source are read, with the documents inside them. `from`: the cells before its own. */
export function compileReader(source: DocumentSource, from = 0): DocumentReader {
  const { id, createdAt, updatedAt, sequence, parties, permissions, collectionId } = source;
  const cells: Expression[] = [id, createdAt, updatedAt, ...(sequence ? [sequence] : []), ...parties];
  const partiesFrom = from + (sequence ? 4 : 3);
  const partiesTo = partiesFrom + parties.length;
  const inside: DocumentReader[] = [];
  const entries = Object.entries(source.attributes).map(([name, entry]: [string, Attribute | Relation]) => {
    const index = from + cells.length;
    if (isRelation(entry)) {
      const inner = compileReader(entry.source, index);
      cells.push(...inner.cells);
      inside.push(inner);
      const isHidden = (row: Cells, { viewer }: Reader) =>
        entry.source.collectionId === 'users' &&
        viewer?.hiddenProfileIds.includes(String(row[index])) === true;
      const read = (row: Cells, reader: Reader) => (isHidden(row, reader) ? null : inner.read(row, reader));
      return { name, isPrivate: false, read };
    }
    cells.push(...entry.cells);
    return { name, isPrivate: entry.private === true, read: valueReader(entry, index) };
  });
  return {
    cells,
    parties: (row) => [
      ...row.slice(partiesFrom, partiesTo).filter((party) => typeof party === 'string'),
      ...inside.flatMap((inner) => inner.parties(row)),
    ],
    read(row, reader) {
      // The joined record does not exist.
      if (row[from] === null) return null;
      const { viewer } = reader;
      const accounts = row
        .slice(partiesFrom, partiesTo)
        .map((party) =>
          typeof party === 'string' && !viewer?.hiddenAccountIds.includes(party) ? party : '',
        );
      const isParty = viewer !== null && accounts.includes(viewer.accountId);
      const number = sequence ? row[from + 3] : new Date(String(row[from + 1])).getTime();
      const document: Document = {
        $id: String(row[from]),
        $sequence: reader.numericSequence ? Number(number) : String(number),
        $createdAt: timeOf(row[from + 1]),
        $updatedAt: timeOf(row[from + 2]),
        $permissions: permissions(accounts).filter((text) => !text.endsWith('("user:")')),
        $collectionId: collectionId,
        $databaseId: reader.databaseId,
      };
      for (const { name, isPrivate, read } of entries)
        document[name] = isPrivate && !isParty ? null : read(row, reader);
      return document;
    },
  };
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && '$id' in value;

/** The attributes that `select` names, `*`, `creator.*` and `creator.name` among them; what begins with `$` is always shown. */
export function selectAttributes(document: Document, select: readonly string[] | null): Document {
  if (select === null || select.includes('*')) return document;
  const shown = Object.entries(document).flatMap(([name, value]) => {
    if (name.startsWith('$') || select.includes(name)) return [[name, value] as const];
    const inner = select.flatMap((path) =>
      path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
    );
    if (inner.length === 0) return [];
    return [[name, isDocument(value) ? selectAttributes(value, inner) : value] as const];
  });
  // What begins with `$` is there.
  return Object.fromEntries(shown) as Document;
}
