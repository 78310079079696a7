/**
 * Whether a JSON number is still what was written once it is a double (RFC 8259, section 6): the double is written as
 * the same decimal number, or, for a fraction of at most 17 digits, is the double that such a text stands for.
 */
export function isExactNumber(written: string): boolean {
  const value = Number(written);
  // As most numbers are written.
  if (String(value) === written) return true;
  const decimal = normalized(written);
  if (decimal.digits === '') return true;
  if (!Number.isFinite(value) || value === 0) return false;
  if (isSame(normalized(String(value)), decimal)) return true;
  const isFraction = decimal.exponent < 0;
  return isFraction && decimal.digits.length <= 17 && isSame(normalized(value.toPrecision(17)), decimal);
}

/** `digits · 10 ^ exponent`, without zeros at either end of the digits. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

function normalized(written: string): Decimal {
  const [mantissa = '', power = '0'] = written.toLowerCase().split('e');
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace(/^[-+]/, '').split('.');
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  const exponent = Number(power) - fraction.length + (all.length - end);
  return { isNegative, digits: all.slice(start, end), exponent };
}

function isSame(one: Decimal, other: Decimal): boolean {
  return (
    one.digits === other.digits && one.exponent === other.exponent && one.isNegative === other.isNegative
  );
}
