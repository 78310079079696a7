/** Formats in words, with an example where the words alone do not tell. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  'idn-email': 'an e-mail address',
  uri: 'a whole URL such as https://example.com',
  iri: 'a whole URL such as https://example.com',
  url: 'a whole URL such as https://example.com',
  date: 'a day such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T18:00:00Z',
  time: 'a time such as 18:00:00Z',
  duration: 'a duration such as P1DT12H',
  hostname: 'the name of a host',
  'idn-hostname': 'the name of a host',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  regex: 'a regular expression',
};

/** What a text of a format is, for a person or a model; `undefined` for a format without words. */
export function formatWords(format: string): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
}
