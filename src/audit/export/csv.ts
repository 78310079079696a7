/**
 * One row of a CSV file (RFC 4180), with its line break. Texts are written so that no spreadsheet takes them for a
 * formula: what a server says must not run on the computer of the person who reads the export.
 */
export function csvRow(cells: readonly (string | number | boolean | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  return `"${harmless(value).replaceAll('"', '""')}"`;
}

// Also behind white space, and with the wide signs that some spreadsheets read as the narrow ones.
const formulaStart = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]/u;
// Where lists are separated by semicolons, a comma ends no cell and a semicolon inside one does.
const cellWithin = /([;\t\r\n][\s"'\p{Cf}]*)(?=[=+\-@|%＝＋－＠])/gu;

function harmless(text: string): string {
  const plain = text.replaceAll('\0', '\uFFFD').replace(cellWithin, "$1'");
  return formulaStart.test(plain) || /^[\t\r\n]/.test(plain) ? `'${plain}` : plain;
}
