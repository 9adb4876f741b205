type Row = readonly string[];

/** A table as lines, with a rule below its headings. The first column is aligned to the left, the others as `align` says. */
export function tableLines(head: Row, rows: readonly Row[], align: 'left' | 'right' = 'right'): string[] {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: Row) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || align === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)];
}

/** Prints a table between blank lines. */
export function printTable(head: Row, rows: readonly Row[], align?: 'left' | 'right'): void {
  console.log(['', ...tableLines(head, rows, align), ''].join('\n'));
}

/** A table of a page. */
export const markdownTable = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
