const two = (value: number): string => String(value).padStart(2, '0');

/** A moment (RFC 3339) as the browser's picker wants it, in the person's own time; `''` if it is none. */
export function localDateTime(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** What the picker holds as a moment (RFC 3339) with the person's own offset; undefined if it is none. */
export function sentDateTime(picked: string): string | undefined {
  const date = new Date(picked);
  if (picked === '' || Number.isNaN(date.getTime())) return undefined;
  const offset = -date.getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  const zone =
    offset === 0 ? 'Z' : `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${localDateTime(picked)}${zone}`;
}
