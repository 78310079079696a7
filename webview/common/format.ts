import type { CallerKind } from '../../src/shared/caller.ts';

const numbers = new Intl.NumberFormat('en');

/** A whole number with separators. */
export function count(value: number): string {
  return numbers.format(value);
}

/** A number with its noun: "1 line", "214 lines". */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** A size as a person reads it: "482 bytes", "12.3 kB", "4.1 MB". */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [size, unit] = bytes < 999_950 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 100 ? size.toFixed(1) : count(Math.round(size))} ${unit}`;
}

/** A span of time as a person reads it: "48 ms", "1.2 s", "3 min 5 s". */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A span of time that still grows: whole seconds. */
export function elapsed(milliseconds: number): string {
  return milliseconds < 1000 ? '0 s' : duration(Math.floor(milliseconds / 1000) * 1000).replace('.0 s', ' s');
}

/** Time of day. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

const callers: Readonly<Record<CallerKind, string>> = {
  chat: 'Chat',
  languageModelTool: 'Language model tool',
  bridge: 'Bridge client',
  api: 'Extension',
  user: 'Run Tool',
};

/** What kind of caller asks, in words. */
export function callerName(kind: CallerKind): string {
  return callers[kind];
}
