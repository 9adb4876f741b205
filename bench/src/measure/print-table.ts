/** Prints a table; all columns but the first are aligned to the right. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ');
  console.log(['', line(headings), widths.map((width) => '-'.repeat(width)).join('  ')].join('\n'));
  for (const row of rows) console.log(line(row));
  console.log('');
}

export const perSecond = (figure: number) => `${Math.round(figure).toLocaleString('en')}/s`;
export const milliseconds = (figure: number) => `${figure.toFixed(figure < 10 ? 2 : 1)} ms`;
export const ratio = (figure: number) => figure.toFixed(2);
