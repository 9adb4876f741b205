/** A cell as a spreadsheet reads it: quoted, and never taken for a formula; a number with two decimals. */
export const csvCell = (value: string | number): string =>
  typeof value === 'number'
    ? value.toFixed(2)
    : `"${value.replaceAll('"', '""').replace(/^[=+\-@\t\r]/, (first) => `'${first}`)}"`;

/** A line of cells. */
export const csvLine = (values: readonly (string | number)[]): string => values.map(csvCell).join(',');

/** A CSV file (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. */
export const csvFile = (lines: readonly string[]): string => `\uFEFF${[...lines, ''].join('\r\n')}`;
