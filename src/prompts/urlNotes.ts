import type { RiskNote, RiskSubject } from '../shared/riskNote.ts';
import { visibleLine } from '../shared/visibleText.ts';
import { type HostReach, type UrlFacts, checkUrl, findUrls, spelledHost } from './urlChecks.ts';

const reachWords: Readonly<Record<Exclude<HostReach, 'public'>, string>> = {
  loopback: 'this machine',
  private: 'a private network',
  linkLocal: 'the local link, where cloud machines keep their credentials',
  reserved: 'a reserved address',
};

/** Notes about the URLs in a text: where they lead, and what is odd about them. One for each host and oddity. */
export function urlNotes(text: string, subject: RiskSubject): readonly RiskNote[] {
  const whole = checkUrl(text);
  const urls = whole === undefined ? findUrls(text).flatMap((url) => checkUrl(url) ?? []) : [whole];
  const notes = new Map<string, RiskNote>();
  for (const url of urls) {
    for (const note of notesOf(url, subject)) {
      // Several URLs of one host say the same.
      if (!notes.has(note.message)) notes.set(note.message, note);
    }
  }
  return Array.from(notes.values());
}

/** Notes about one URL that has been read. */
export function notesOf(url: UrlFacts, subject: RiskSubject): readonly RiskNote[] {
  const host = `“${visibleLine(hostText(url))}”`;
  const notes: RiskNote[] = [];
  const add = (kind: RiskNote['kind'], severity: RiskNote['severity'], message: string): void => {
    notes.push({ kind, severity, subject, message });
  };
  if (url.reach === 'public') add('urlHost', 'info', `Leads to ${host}.`);
  else add('privateAddress', 'caution', `Leads to ${host}: ${reachWords[url.reach]}.`);
  if (url.credentials) add('urlCredentials', 'caution', `The URL to ${host} holds a user name or password.`);
  if (url.mixedScripts.length > 0) {
    add('mixedScript', 'caution', `The host ${host} mixes letters of ${url.mixedScripts.join(' and ')}.`);
  } else if (url.punycode) {
    add('urlHost', 'info', `The host ${host} is spelled with letters outside ASCII.`);
  }
  if (url.disguisedAddress) add('urlHost', 'caution', `The address ${host} is written in an unusual form.`);
  if (url.ambiguous) {
    add('urlHost', 'caution', `The URL to ${host} is spelled so that programs may read another host in it.`);
  }
  return notes;
}

/** Host and port for a person, both spellings if they differ. */
function hostText(url: UrlFacts): string {
  const named = spelledHost(url);
  return url.port === undefined ? named : `${named}, port ${url.port}`;
}
