import assert from 'node:assert/strict';
import { decide } from '../../../src/policy/decide.ts';
import type { CallFacts, Decision } from '../../../src/policy/decision.ts';
import type { Grant } from '../../../src/policy/grant.ts';
import { GrantIndex } from '../../../src/policy/grantIndex.ts';
import { defaultLimits, noUsage } from '../../../src/policy/limits.ts';
import { parseManagedPolicy } from '../../../src/policy/managedPolicy.ts';
import type { PathFacts } from '../../../src/policy/pathFacts.ts';
import { compilePolicy } from '../../../src/policy/policy.ts';
import { describe, it } from '../../helpers/nodeTest.ts';
import { callFacts, someGrant } from './callFacts.ts';

/** One row: what is configured, what is called, what comes out, as a short text. */
interface Row {
  readonly name: string;
  readonly rules?: unknown;
  readonly workspace?: unknown;
  readonly managed?: string;
  readonly grants?: readonly Grant[];
  readonly call?: Partial<CallFacts>;
  readonly expected: string;
}

/** `deny rule user[0]`, `ask default`, `allow grant grant-1`, `ask limit callsPerTurn 101/100 (rule user[0])` … */
function summary(decision: Decision): string {
  const { kind, reason } = decision;
  const parts: string[] = [kind, reason.kind];
  const place = (one: typeof reason | undefined): string => {
    if (one === undefined) return '';
    if ('rule' in one) return `${one.rule.origin}[${one.rule.index}]`;
    return one.kind === 'grant' ? one.grant.id : '';
  };
  if (place(reason) !== '') parts.push(place(reason));
  if (reason.kind === 'limit') {
    parts.push(...reason.exceeded.map(({ limit, count, max }) => `${limit} ${count}/${max}`));
    parts.push(`(${reason.otherwise.kind} ${place(reason.otherwise)})`);
  }
  if (decision.kind === 'ask') {
    parts.push(
      ...decision.suspended.map(({ grant, changed }) => `suspended ${grant.id}: ${changed.join('+')}`),
    );
    if (decision.rememberable) parts.push('rememberable');
  }
  if (decision.kind !== 'deny' && decision.reviewResult) parts.push('review');
  return parts.join(' ');
}

const everything = { server: '*', tool: '*' };
const github = { server: 'github', tool: '*' };
const allow = { ...github, decision: 'allow' };
const ask = { ...github, decision: 'ask' };
const deny = { ...github, decision: 'deny' };
const withArgs = (args: object, decision: string): unknown => [{ ...github, args, decision }];
const asked = 'ask default rememberable';

const decisions: readonly Row[] = [
  { name: 'nothing configured', expected: asked },
  { name: 'null as setting', rules: null, expected: asked },
  { name: 'empty lists', rules: [], workspace: [], expected: asked },
  { name: 'allow', rules: [allow], expected: 'allow rule user[0]' },
  { name: 'ask', rules: [ask], expected: 'ask rule user[0]' },
  { name: 'deny', rules: [deny], expected: 'deny rule user[0]' },
  { name: 'deny beats allow', rules: [allow, deny], expected: 'deny rule user[1]' },
  { name: 'deny beats allow, other order', rules: [deny, allow], expected: 'deny rule user[0]' },
  { name: 'deny beats ask', rules: [ask, deny], expected: 'deny rule user[1]' },
  { name: 'ask beats allow', rules: [allow, ask], expected: 'ask rule user[1]' },
  {
    name: 'a specific allow does not lift a general ask',
    rules: [
      { ...everything, decision: 'ask' },
      { server: 'github', tool: 'search', decision: 'allow' },
    ],
    expected: 'ask rule user[0]',
  },
  {
    name: 'general allow, specific ask (case 3)',
    rules: [
      { ...everything, decision: 'allow' },
      { server: 'github', tool: 'search', decision: 'ask' },
    ],
    expected: 'ask rule user[1]',
  },
  {
    name: 'the first of equals is named',
    rules: [allow, { ...everything, decision: 'allow' }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'rule for another server',
    rules: [{ server: 'gitlab', tool: '*', decision: 'allow' }],
    expected: asked,
  },
  {
    name: 'rule for another tool',
    rules: [{ server: 'github', tool: 'delete', decision: 'deny' }],
    expected: asked,
  },
];

const names: readonly Row[] = [
  {
    name: 'glob over tools',
    rules: [{ server: 'github', tool: 'sea*', decision: 'allow' }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'glob over servers',
    rules: [{ server: 'git*', tool: 'search', decision: 'allow' }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'braces',
    rules: [{ server: '{gitlab,github}', tool: '{get,search}', decision: 'allow' }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'a glob is for the whole name',
    rules: [{ server: 'github', tool: 'sear', decision: 'allow' }],
    expected: asked,
  },
  {
    name: 'tool names with slashes and dots',
    rules: [{ server: 'github', tool: 'repo*', decision: 'allow' }],
    call: { toolName: 'repo/issues.list all' },
    expected: 'allow rule user[0]',
  },
  {
    name: 'allow tells cases apart',
    rules: [{ server: 'github', tool: 'Search', decision: 'allow' }],
    expected: asked,
  },
  {
    name: 'allow tells cases of servers apart',
    rules: [{ server: 'GitHub', tool: '*', decision: 'allow' }],
    expected: asked,
  },
  {
    name: 'deny does not tell cases apart',
    rules: [{ server: 'GitHub', tool: 'SEARCH', decision: 'deny' }],
    expected: 'deny rule user[0]',
  },
  {
    name: 'ask does not tell cases apart',
    rules: [{ server: 'GitHub', tool: 'SEARCH', decision: 'ask' }],
    expected: 'ask rule user[0]',
  },
  {
    name: 'a look-alike server id is another server',
    rules: [allow],
    call: { serverId: 'gіthub' },
    expected: asked,
  },
  {
    name: 'a name with a hidden character is another name',
    rules: [{ server: 'github', tool: 'search', decision: 'allow' }],
    call: { toolName: 'search\u200B' },
    expected: asked,
  },
];

const callers: readonly Row[] = [
  { name: 'caller fits', rules: [{ ...allow, caller: 'chat' }], expected: 'allow rule user[0]' },
  { name: 'caller does not fit', rules: [{ ...allow, caller: 'bridge' }], expected: asked },
  {
    name: 'one of several callers',
    rules: [{ ...deny, caller: ['api', 'bridge'] }],
    call: { caller: 'bridge' },
    expected: 'deny rule user[0]',
  },
  { name: 'none of several callers', rules: [{ ...deny, caller: ['api', 'bridge'] }], expected: asked },
  {
    name: 'allow for one caller, deny for another',
    rules: [
      { ...allow, caller: 'chat' },
      { ...deny, caller: 'bridge' },
    ],
    call: { caller: 'bridge' },
    expected: 'deny rule user[1]',
  },
  {
    name: 'Run Tool is a caller as well',
    rules: [{ ...allow, caller: 'user' }],
    call: { caller: 'user' },
    expected: 'allow rule user[0]',
  },
];

const times: readonly Row[] = [
  {
    name: 'until a later time',
    rules: [{ ...allow, until: '2027-01-15T12:00:01Z' }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'until this very moment',
    rules: [{ ...allow, until: '2027-01-15T12:00:00Z' }],
    expected: 'allow rule user[0]',
  },
  { name: 'until an earlier time', rules: [{ ...allow, until: '2027-01-15T11:59:59Z' }], expected: asked },
  {
    name: 'until a time that was over before the clock was set back',
    rules: [{ ...allow, until: '2027-01-15T13:00:00Z' }],
    call: { latest: Date.parse('2027-01-15T13:00:01Z') },
    expected: asked,
  },
  {
    name: 'a deny that was over before the clock was set back counts again',
    rules: [{ ...deny, until: '2027-01-15T13:00:00Z' }],
    call: { latest: Date.parse('2027-01-15T13:00:01Z') },
    expected: 'deny rule user[0]',
  },
  { name: 'a deny ends too', rules: [{ ...deny, until: '2027-01-14' }], expected: asked },
  { name: 'a day far ahead', rules: [{ ...deny, until: '2027-02-28' }], expected: 'deny rule user[0]' },
];

const values: readonly Row[] = [
  {
    name: 'equals',
    rules: withArgs({ repo: { equals: 'acme/site' } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  { name: 'equals another', rules: withArgs({ repo: { equals: 'acme/other' } }, 'allow'), expected: asked },
  {
    name: 'equals tells types apart',
    rules: withArgs({ n: { equals: '1' } }, 'allow'),
    call: { args: { n: 1 } },
    expected: asked,
  },
  {
    name: 'equals null',
    rules: withArgs({ n: { equals: null } }, 'allow'),
    call: { args: { n: null } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'equals null is not "missing"',
    rules: withArgs({ n: { equals: null } }, 'allow'),
    expected: asked,
  },
  {
    name: 'equals an object whatever the order',
    rules: withArgs({ o: { equals: { a: 1, b: [2] } } }, 'allow'),
    call: { args: { o: { b: [2], a: 1 } } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'equals an object with one more member',
    rules: withArgs({ o: { equals: { a: 1 } } }, 'allow'),
    call: { args: { o: { a: 1, b: 2 } } },
    expected: asked,
  },
  {
    name: 'oneOf',
    rules: withArgs({ repo: { oneOf: ['x', 'acme/site'] } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  { name: 'oneOf none', rules: withArgs({ repo: { oneOf: ['x'] } }, 'allow'), expected: asked },
  {
    name: 'a missing argument fulfils nothing: allow',
    rules: withArgs({ path: { glob: '**' } }, 'allow'),
    expected: asked,
  },
  {
    name: 'a missing argument fulfils nothing: deny',
    rules: withArgs({ path: { glob: '**' } }, 'deny'),
    expected: asked,
  },
  {
    name: 'all members must hold',
    rules: withArgs({ repo: { glob: 'acme/*', maxLength: 3 } }, 'allow'),
    expected: asked,
  },
  {
    name: 'all arguments must hold',
    rules: withArgs({ repo: { equals: 'acme/site' }, q: { equals: 'x' } }, 'allow'),
    expected: asked,
  },
  {
    name: 'inherited names are not arguments',
    rules: withArgs({ constructor: { maxLength: 100 } }, 'deny'),
    expected: asked,
  },
  {
    name: 'nested path',
    rules: withArgs({ 'a.b': { equals: 1 } }, 'allow'),
    call: { args: { a: { b: 1 } } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'item of a list',
    rules: withArgs({ 'a[1].b': { equals: 1 } }, 'allow'),
    call: { args: { a: [0, { b: 1 }] } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'pointer to an odd name',
    rules: withArgs({ '/a.b~1c': { equals: 1 } }, 'allow'),
    call: { args: { 'a.b/c': 1 } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'every item: all fit',
    rules: withArgs({ 'a[*]': { glob: 'x*' } }, 'allow'),
    call: { args: { a: ['x1', 'x2'] } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'every item: one does not',
    rules: withArgs({ 'a[*]': { glob: 'x*' } }, 'allow'),
    call: { args: { a: ['x1', 'y'] } },
    expected: asked,
  },
  {
    name: 'every item: none there',
    rules: withArgs({ 'a[*]': { glob: 'x*' } }, 'allow'),
    call: { args: { a: [] } },
    expected: asked,
  },
  {
    name: 'deny if any item fits',
    rules: withArgs({ 'a[*]': { glob: 'x*' } }, 'deny'),
    call: { args: { a: ['y', 'x2'] } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'a list instead of a text: all items count',
    rules: withArgs({ a: { glob: 'x*' } }, 'allow'),
    call: { args: { a: ['x1', 'y'] } },
    expected: asked,
  },
  {
    name: 'a list instead of a text: deny by one item',
    rules: withArgs({ a: { glob: 'rm*' } }, 'deny'),
    call: { args: { a: ['sudo', 'rm'] } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'anywhere at any depth',
    rules: withArgs({ '**': { matches: 'BEGIN PRIVATE KEY' } }, 'deny'),
    call: { args: { a: { b: ['x', '-----BEGIN PRIVATE KEY-----'] } } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'anywhere, and nothing fits',
    rules: withArgs({ '**': { matches: 'BEGIN PRIVATE KEY' } }, 'deny'),
    expected: asked,
  },
  {
    name: 'a number where a text is meant: deny asks',
    rules: withArgs({ n: { glob: '4*' } }, 'deny'),
    call: { args: { n: 42 } },
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'a number where a text is meant: allow does not count',
    rules: withArgs({ n: { glob: '*' } }, 'allow'),
    call: { args: { n: 42 } },
    expected: asked,
  },
  {
    name: 'a doubtful ask asks and names itself',
    rules: withArgs({ n: { glob: '4*' } }, 'ask'),
    call: { args: { n: 42 } },
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'a doubtful deny beats an allow',
    rules: [{ ...allow }, { ...github, args: { n: { glob: '4*' } }, decision: 'deny' }],
    call: { args: { n: 42 } },
    expected: 'ask doubtfulRule user[1]',
  },
  {
    name: 'short enough',
    rules: withArgs({ repo: { maxLength: 9 } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  { name: 'too long', rules: withArgs({ repo: { maxLength: 8 } }, 'allow'), expected: asked },
  {
    name: 'few enough items',
    rules: withArgs({ a: { maxLength: 1 } }, 'allow'),
    call: { args: { a: ['xxxx'] } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'length of a number',
    rules: withArgs({ n: { maxLength: 5 } }, 'deny'),
    call: { args: { n: 1 } },
    expected: 'ask doubtfulRule user[0]',
  },
];

const texts: readonly Row[] = [
  { name: 'glob', rules: withArgs({ repo: { glob: 'acme/*' } }, 'allow'), expected: 'allow rule user[0]' },
  {
    name: 'one of several globs',
    rules: withArgs({ repo: { glob: ['x', 'acme/*'] } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  { name: 'allow: * stops at /', rules: withArgs({ repo: { glob: 'acme*' } }, 'allow'), expected: asked },
  {
    name: 'allow: ** goes on',
    rules: withArgs({ repo: { glob: 'ac**' } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  {
    name: 'deny: * goes on',
    rules: withArgs({ repo: { glob: 'acme*' } }, 'deny'),
    expected: 'deny rule user[0]',
  },
  {
    name: 'allow: .. does not climb out of a glob',
    rules: withArgs({ p: { glob: 'src/**' } }, 'allow'),
    call: { args: { p: 'src/../../etc/passwd' } },
    expected: asked,
  },
  {
    name: 'allow: encoded .. neither',
    rules: withArgs({ p: { glob: 'src/**' } }, 'allow'),
    call: { args: { p: 'src/%2e%2e/x' } },
    expected: asked,
  },
  {
    name: 'deny: .. still fits',
    rules: withArgs({ p: { glob: 'src/**' } }, 'deny'),
    call: { args: { p: 'src/../x' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'allow: the whole text must match',
    rules: withArgs({ repo: { matches: 'acme' } }, 'allow'),
    expected: asked,
  },
  {
    name: 'allow: whole text matches',
    rules: withArgs({ repo: { matches: 'acme/.*' } }, 'allow'),
    expected: 'allow rule user[0]',
  },
  {
    name: 'allow: alternatives are for the whole text too',
    rules: withArgs({ repo: { matches: 'x|acme' } }, 'allow'),
    expected: asked,
  },
  {
    name: 'allow: a second line is not smuggled in',
    rules: withArgs({ repo: { matches: 'acme/.*' } }, 'allow'),
    call: { args: { repo: 'acme/site\nrm' } },
    expected: asked,
  },
  {
    name: 'deny: a part is enough',
    rules: withArgs({ repo: { matches: 'sit' } }, 'deny'),
    expected: 'deny rule user[0]',
  },
  {
    name: 'deny: a text too long to judge asks',
    rules: withArgs({ repo: { matches: '(a|b)*a(a|b){400}c' } }, 'deny'),
    call: { args: { repo: 'ab'.repeat(100_000) } },
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'host',
    rules: withArgs({ u: { host: 'api.example.com' } }, 'allow'),
    call: { args: { u: 'https://API.example.com:8443/x' } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'host below',
    rules: withArgs({ u: { host: '*.example.com' } }, 'allow'),
    call: { args: { u: 'https://a.b.example.com/' } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'host that only ends alike',
    rules: withArgs({ u: { host: '*.example.com' } }, 'allow'),
    call: { args: { u: 'https://evilexample.com/' } },
    expected: asked,
  },
  {
    name: 'host in the path',
    rules: withArgs({ u: { host: 'example.com' } }, 'allow'),
    call: { args: { u: 'https://evil.test/example.com' } },
    expected: asked,
  },
  {
    name: 'host as user name',
    rules: withArgs({ u: { host: 'example.com' } }, 'allow'),
    call: { args: { u: 'https://example.com@evil.test/' } },
    expected: asked,
  },
  {
    name: 'host behind a backslash',
    rules: withArgs({ u: { host: 'example.com' } }, 'allow'),
    call: { args: { u: 'https://example.com\\@evil.test/' } },
    expected: asked,
  },
  {
    name: 'deny host despite a user name',
    rules: withArgs({ u: { host: 'evil.test' } }, 'deny'),
    call: { args: { u: 'https://a@evil.test/' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'deny host of an odd URL asks',
    rules: withArgs({ u: { host: 'evil.test' } }, 'deny'),
    call: { args: { u: 'https://good.test\\@evil.test/' } },
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'deny host without a scheme',
    rules: withArgs({ u: { host: 'evil.test' } }, 'deny'),
    call: { args: { u: 'evil.test/x' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'a plain word is no host',
    rules: withArgs({ u: { host: 'evil.test' } }, 'deny'),
    call: { args: { u: 'hello' } },
    expected: asked,
  },
  {
    name: 'deny host in disguise',
    rules: withArgs({ u: { host: '127.0.0.1' } }, 'deny'),
    call: { args: { u: 'http://0x7f.1/' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'deny IPv6',
    rules: withArgs({ u: { host: '::1' } }, 'deny'),
    call: { args: { u: 'http://[0:0::1]/' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'host with a dot at the end',
    rules: withArgs({ u: { host: 'example.com' } }, 'deny'),
    call: { args: { u: 'http://example.com./' } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'host in other letters',
    rules: withArgs({ u: { host: 'bücher.example' } }, 'allow'),
    call: { args: { u: 'https://xn--bcher-kva.example/' } },
    expected: 'allow rule user[0]',
  },
];

const paths: PathFacts = {
  separator: '/',
  caseSensitive: true,
  places: new Map([
    ['a.md', { lexical: ['/ws/a.md'], real: ['/ws/a.md'], exists: true }],
    ['link/x', { lexical: ['/ws/link/x'], real: ['/etc/x'], exists: true }],
    ['back', { lexical: ['/etc/back'], real: ['/ws/back'], exists: true }],
    ['two', { lexical: ['/ws/two'], real: ['/ws/two', '/etc/two'], exists: true }],
    ['next', { lexical: ['/ws-next/a'], real: ['/ws-next/a'], exists: true }],
    ['itself', { lexical: ['/ws'], real: ['/ws'], exists: true }],
    ['odd', undefined],
  ]),
  roots: new Map([
    ['${workspaceFolder}', [{ lexical: '/ws', real: '/ws', exists: true }]],
    ['/etc', [{ lexical: '/etc', real: '/etc', exists: true }]],
    ['/', [{ lexical: '/', real: '/', exists: true }]],
    ['C:\\x', undefined],
    ['${workspaceFolder:gone}', []],
  ]),
};
const at = (p: string): Partial<CallFacts> => ({ args: { p }, paths });
const inside = (root: string, decision: string): unknown => withArgs({ p: { within: root } }, decision);

const places: readonly Row[] = [
  {
    name: 'inside',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('a.md'),
    expected: 'allow rule user[0]',
  },
  {
    name: 'the folder itself',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('itself'),
    expected: 'allow rule user[0]',
  },
  { name: 'a link out', rules: inside('${workspaceFolder}', 'allow'), call: at('link/x'), expected: asked },
  {
    name: 'a link in',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('back'),
    expected: 'allow rule user[0]',
  },
  {
    name: 'one of two readings is outside',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('two'),
    expected: asked,
  },
  {
    name: 'a folder whose name begins alike',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('next'),
    expected: asked,
  },
  {
    name: 'cannot be told: allow',
    rules: inside('${workspaceFolder}', 'allow'),
    call: at('odd'),
    expected: asked,
  },
  {
    name: 'cannot be told: deny',
    rules: inside('/etc', 'deny'),
    call: at('odd'),
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'nobody looked: deny',
    rules: inside('/etc', 'deny'),
    call: at('unseen'),
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: 'deny through a link',
    rules: inside('/etc', 'deny'),
    call: at('link/x'),
    expected: 'deny rule user[0]',
  },
  {
    name: 'deny by what is written',
    rules: inside('/etc', 'deny'),
    call: at('back'),
    expected: 'deny rule user[0]',
  },
  {
    name: 'deny by one of two readings',
    rules: inside('/etc', 'deny'),
    call: at('two'),
    expected: 'deny rule user[0]',
  },
  { name: 'deny elsewhere', rules: inside('/etc', 'deny'), call: at('a.md'), expected: asked },
  {
    name: 'everything is inside the root',
    rules: inside('/', 'allow'),
    call: at('a.md'),
    expected: 'allow rule user[0]',
  },
  {
    name: "another system's folder: deny",
    rules: inside('C:\\x', 'deny'),
    call: at('a.md'),
    expected: 'ask doubtfulRule user[0]',
  },
  {
    name: "another system's folder: allow",
    rules: inside('C:\\x', 'allow'),
    call: at('a.md'),
    expected: asked,
  },
  {
    name: 'a workspace folder that is not open',
    rules: inside('${workspaceFolder:gone}', 'allow'),
    call: at('a.md'),
    expected: asked,
  },
  {
    name: 'one of several folders',
    rules: withArgs({ p: { within: ['/etc', '${workspaceFolder}'] } }, 'allow'),
    call: at('a.md'),
    expected: 'allow rule user[0]',
  },
];

const readOnly = { readOnlyHint: true };
const claims: readonly Row[] = [
  {
    name: 'claim of a trusted server',
    rules: [{ ...allow, claims: readOnly }],
    call: { serverTrusted: true, annotations: readOnly },
    expected: 'allow rule user[0]',
  },
  {
    name: 'claim of another server (case 6)',
    rules: [{ ...allow, claims: readOnly }],
    call: { annotations: readOnly },
    expected: asked,
  },
  {
    name: 'no claim: not read-only',
    rules: [{ ...allow, claims: readOnly }],
    call: { serverTrusted: true },
    expected: asked,
  },
  {
    name: 'no claim: destructive',
    rules: [{ ...deny, claims: { destructiveHint: true } }],
    call: { serverTrusted: true },
    expected: 'deny rule user[0]',
  },
  {
    name: 'claims to be harmless, trusted',
    rules: [{ ...deny, claims: { destructiveHint: true } }],
    call: { serverTrusted: true, annotations: { destructiveHint: false } },
    expected: asked,
  },
  {
    name: 'claims to be harmless, not trusted',
    rules: [
      { ...everything, decision: 'allow' },
      { ...deny, claims: { destructiveHint: true } },
    ],
    call: { annotations: { destructiveHint: false } },
    expected: 'ask doubtfulRule user[1]',
  },
  {
    name: 'claims to be harmful, not trusted',
    rules: [{ ...deny, claims: { destructiveHint: true } }],
    call: { annotations: { destructiveHint: true } },
    expected: 'deny rule user[0]',
  },
  {
    name: 'two claims, one fits',
    rules: [{ ...allow, claims: { readOnlyHint: true, openWorldHint: false } }],
    call: { serverTrusted: true, annotations: readOnly },
    expected: asked,
  },
  {
    name: 'a claim never lifts an ask',
    rules: [ask, { ...allow, claims: readOnly }],
    call: { serverTrusted: true, annotations: readOnly },
    expected: 'ask rule user[0]',
  },
];

const origins: readonly Row[] = [
  { name: 'workspace allow is ignored (case 7)', workspace: [allow], expected: asked },
  { name: 'workspace ask', rules: [allow], workspace: [ask], expected: 'ask rule workspace[0]' },
  { name: 'workspace deny', rules: [allow], workspace: [deny], expected: 'deny rule workspace[0]' },
  { name: 'workspace cannot lift a deny', rules: [deny], workspace: [allow], expected: 'deny rule user[0]' },
  { name: 'workspace cannot lift an ask', rules: [ask], workspace: [allow], expected: 'ask rule user[0]' },
  {
    name: 'user allow does not reach a server of the workspace',
    rules: [allow],
    call: { serverOrigin: 'workspace' },
    expected: asked,
  },
  {
    name: 'user deny does',
    rules: [deny],
    call: { serverOrigin: 'workspace' },
    expected: 'deny rule user[0]',
  },
  {
    name: 'a grant does, pinned to the launch',
    grants: [someGrant()],
    call: { serverOrigin: 'workspace' },
    expected: 'allow grant grant-1',
  },
];

const broken: readonly Row[] = [
  { name: 'a broken allow is left out', rules: [{ ...allow, arg: {} }], expected: asked },
  {
    name: 'a broken allow does not disturb others',
    rules: [{ ...allow, arg: {} }, allow],
    expected: 'allow rule user[1]',
  },
  { name: 'a broken deny asks', rules: [allow, { ...deny, arg: {} }], expected: 'ask brokenRule user[1]' },
  {
    name: 'a broken deny of another tool does not',
    rules: [allow, { server: 'github', tool: 'delete', decision: 'deny', arg: {} }],
    expected: 'allow rule user[0]',
  },
  {
    name: 'an unreadable decision may be a deny',
    rules: [allow, { ...github, decision: 'forbid' }],
    expected: 'ask brokenRule user[1]',
  },
  {
    name: 'an unreadable server means any',
    rules: [allow, { server: 7, tool: '*', decision: 'deny' }],
    expected: 'ask brokenRule user[1]',
  },
  {
    name: 'an unreadable tool means any',
    rules: [allow, { server: 'github', decision: 'deny' }],
    expected: 'ask brokenRule user[1]',
  },
  { name: 'an unreadable entry means any', rules: [allow, 'deny all'], expected: 'ask brokenRule user[1]' },
  { name: 'an unreadable setting means any', rules: { deny: 'all' }, expected: 'ask brokenRule user[-1]' },
  {
    name: 'an unreadable workspace setting',
    rules: [allow],
    workspace: 'x',
    expected: 'ask brokenRule workspace[-1]',
  },
  {
    name: 'a broken workspace rule',
    rules: [allow],
    workspace: [{ ...deny, until: 'soon' }],
    expected: 'ask brokenRule workspace[0]',
  },
  {
    name: 'a broken rule holds back a grant',
    rules: [{ ...deny, arg: {} }],
    grants: [someGrant()],
    expected: 'ask brokenRule user[0]',
  },
  {
    name: 'a deny that works beats a broken one',
    rules: [{ ...deny, arg: {} }, deny],
    expected: 'deny rule user[1]',
  },
  {
    name: 'a bad expression in a deny',
    rules: [allow, { ...deny, args: { q: { matches: '(?=x)' } } }],
    expected: 'ask brokenRule user[1]',
  },
  {
    name: 'a bad expression in an allow',
    rules: [{ ...allow, args: { q: { matches: '(' } } }],
    expected: asked,
  },
];

const grants: readonly Row[] = [
  { name: 'grant', grants: [someGrant()], expected: 'allow grant grant-1' },
  {
    name: 'a rule is named before a grant',
    rules: [allow],
    grants: [someGrant()],
    expected: 'allow rule user[0]',
  },
  { name: 'ask beats a grant', rules: [ask], grants: [someGrant()], expected: 'ask rule user[0]' },
  { name: 'deny beats a grant', rules: [deny], grants: [someGrant()], expected: 'deny rule user[0]' },
  {
    name: 'workspace ask beats a grant',
    workspace: [ask],
    grants: [someGrant()],
    expected: 'ask rule workspace[0]',
  },
  { name: 'grant of another tool', grants: [someGrant({ toolName: 'delete' })], expected: asked },
  { name: 'grant of another server', grants: [someGrant({ serverId: 'gitlab' })], expected: asked },
  { name: 'names of grants are no globs', grants: [someGrant({ toolName: '*' })], expected: asked },
  {
    name: 'names are kept apart',
    grants: [someGrant({ serverId: 'githubs', toolName: 'earch' })],
    expected: asked,
  },
  {
    name: 'session grant',
    grants: [someGrant({ scope: { kind: 'session' } })],
    expected: 'allow grant grant-1',
  },
  {
    name: 'grant of this workspace',
    grants: [someGrant({ scope: { kind: 'workspace', workspace: 'workspace-1', name: 'site' } })],
    expected: 'allow grant grant-1',
  },
  {
    name: 'grant of another workspace',
    grants: [someGrant({ scope: { kind: 'workspace', workspace: 'workspace-2', name: 'x' } })],
    expected: asked,
  },
  {
    name: 'grant of a workspace, none open',
    grants: [someGrant({ scope: { kind: 'workspace', workspace: 'workspace-1', name: 'x' } })],
    call: { workspace: undefined },
    expected: asked,
  },
  {
    name: 'grant for the caller',
    grants: [someGrant({ callers: ['chat'] })],
    expected: 'allow grant grant-1',
  },
  { name: 'grant for another caller', grants: [someGrant({ callers: ['bridge'] })], expected: asked },
  {
    name: 'grant with a condition',
    grants: [someGrant({ args: { repo: { equals: 'acme/site' } } })],
    expected: 'allow grant grant-1',
  },
  {
    name: 'grant with a condition that fails',
    grants: [someGrant({ args: { repo: { equals: 'acme/x' } } })],
    expected: asked,
  },
  { name: 'grant for other arguments', grants: [someGrant({ argsDigest: 'sha256:0' })], expected: asked },
  {
    name: 'arguments that have no digest',
    grants: [someGrant({ argsDigest: 'sha256:0' })],
    call: { args: { a: '\uD800' } },
    expected: asked,
  },
  {
    name: 'tool changed (case 29)',
    grants: [someGrant()],
    call: { toolFingerprint: 'sha256:new' },
    expected: 'ask suspendedGrant suspended grant-1: tool rememberable',
  },
  {
    name: 'launch changed',
    grants: [someGrant()],
    call: { launchFingerprint: 'sha256:new' },
    expected: 'ask suspendedGrant suspended grant-1: launch rememberable',
  },
  {
    name: 'both changed',
    grants: [someGrant()],
    call: { launchFingerprint: 'sha256:new', toolFingerprint: 'sha256:new' },
    expected: 'ask suspendedGrant suspended grant-1: tool+launch rememberable',
  },
  {
    name: 'changed, and allowed by a rule',
    rules: [allow],
    grants: [someGrant()],
    call: { toolFingerprint: 'sha256:new' },
    expected: 'ask suspendedGrant suspended grant-1: tool rememberable',
  },
  {
    name: 'changed, and asked by a rule: still shown',
    rules: [ask],
    grants: [someGrant()],
    call: { toolFingerprint: 'sha256:new' },
    expected: 'ask rule user[0] suspended grant-1: tool',
  },
  {
    name: 'changed, and denied',
    rules: [deny],
    grants: [someGrant()],
    call: { toolFingerprint: 'sha256:new' },
    expected: 'deny rule user[0]',
  },
  {
    name: 'changed, and granted anew',
    grants: [
      someGrant(),
      someGrant({ id: 'grant-2', pins: { tool: 'sha256:new', launch: 'sha256:launch' } }),
    ],
    call: { toolFingerprint: 'sha256:new' },
    expected: 'allow grant grant-2',
  },
  {
    name: 'a changed grant that would not cover the call',
    grants: [someGrant({ args: { repo: { equals: 'x' } } })],
    call: { toolFingerprint: 'sha256:new' },
    expected: asked,
  },
];

const over = (usage: Partial<typeof noUsage>): Partial<CallFacts> => ({ usage: { ...noUsage, ...usage } });
const limits: readonly Row[] = [
  {
    name: 'identical calls up to the limit',
    rules: [allow],
    call: over({ identicalCallsPerTurn: 2 }),
    expected: 'allow rule user[0]',
  },
  {
    name: 'one identical call more',
    rules: [allow],
    call: over({ identicalCallsPerTurn: 3 }),
    expected: 'ask limit identicalCallsPerTurn 4/3 (rule user[0])',
  },
  {
    name: 'also for a grant',
    grants: [someGrant()],
    call: over({ callsPerTurn: 100 }),
    expected: 'ask limit callsPerTurn 101/100 (grant grant-1)',
  },
  {
    name: 'calls of a tool per minute',
    rules: [allow],
    call: over({ callsPerMinutePerTool: 60 }),
    expected: 'ask limit callsPerMinutePerTool 61/60 (rule user[0])',
  },
  {
    name: 'calls of a server per minute',
    rules: [allow],
    call: over({ callsPerMinutePerServer: 500 }),
    expected: 'ask limit callsPerMinutePerServer 501/120 (rule user[0])',
  },
  {
    name: 'calls at the same time',
    rules: [allow],
    call: over({ simultaneousCallsPerServer: 10 }),
    expected: 'ask limit simultaneousCallsPerServer 11/10 (rule user[0])',
  },
  {
    name: 'several at once',
    rules: [allow],
    call: over({ identicalCallsPerTurn: 3, callsPerTurn: 100 }),
    expected: 'ask limit identicalCallsPerTurn 4/3 callsPerTurn 101/100 (rule user[0])',
  },
  {
    name: 'a limit does not soften a deny',
    rules: [deny],
    call: over({ callsPerTurn: 1000 }),
    expected: 'deny rule user[0]',
  },
  { name: 'asked anyway', call: over({ callsPerTurn: 1000 }), expected: asked },
  {
    name: 'tighter limit of the machine',
    rules: [allow],
    managed: '{"limits":{"callsPerTurn":2}}',
    call: over({ callsPerTurn: 2 }),
    expected: 'ask limit callsPerTurn 3/2 (rule user[0])',
  },
  {
    name: 'looser limit of the machine',
    rules: [allow],
    managed: '{"limits":{"callsPerTurn":1000}}',
    call: over({ callsPerTurn: 100 }),
    expected: 'ask limit callsPerTurn 101/100 (rule user[0])',
  },
];

const machine: readonly Row[] = [
  {
    name: 'forced deny',
    rules: [allow],
    managed: JSON.stringify({ rules: [deny] }),
    expected: 'deny rule managed[0]',
  },
  {
    name: 'forced ask',
    rules: [allow],
    managed: JSON.stringify({ rules: [ask] }),
    expected: 'ask rule managed[0]',
  },
  { name: 'forced allow is ignored', managed: JSON.stringify({ rules: [allow] }), expected: asked },
  {
    name: 'a broken forced rule',
    rules: [allow],
    managed: JSON.stringify({ rules: [{ ...deny, x: 1 }] }),
    expected: 'ask brokenRule managed[0]',
  },
  {
    name: 'server on the list',
    rules: [allow],
    managed: '{"servers":{"allow":["git*"]}}',
    expected: 'allow rule user[0]',
  },
  {
    name: 'server not on the list',
    rules: [allow],
    managed: '{"servers":{"allow":["gitlab"]}}',
    expected: 'deny serverNotListed',
  },
  { name: 'nothing on the list', managed: '{"servers":{"allow":[]}}', expected: 'deny serverNotListed' },
  {
    name: 'program on the list',
    rules: [allow],
    managed: '{"servers":{"allow":[{"command":"npx","args":["-y","github-*"]}]}}',
    expected: 'allow rule user[0]',
  },
  {
    name: 'another argument',
    rules: [allow],
    managed: '{"servers":{"allow":[{"command":"npx","args":["-y","gitlab-*"]}]}}',
    expected: 'deny serverNotListed',
  },
  {
    name: 'an argument too many',
    rules: [allow],
    managed: '{"servers":{"allow":[{"command":"npx","args":["-y"]}]}}',
    expected: 'deny serverNotListed',
  },
  {
    name: 'the right name for another program',
    rules: [allow],
    managed: '{"servers":{"allow":[{"id":"github","command":"/opt/github"}]}}',
    expected: 'deny serverNotListed',
  },
  {
    name: 'host on the list',
    rules: [allow],
    managed: '{"servers":{"allow":[{"host":"*.acme.example"}]}}',
    call: { launch: { kind: 'http', url: 'https://mcp.acme.example/mcp' } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'host not on the list',
    rules: [allow],
    managed: '{"servers":{"allow":[{"host":"*.acme.example"}]}}',
    call: { launch: { kind: 'http', url: 'https://acme.example.evil.test/' } },
    expected: 'deny serverNotListed',
  },
  {
    name: 'URL on the list',
    rules: [allow],
    managed: '{"servers":{"allow":[{"url":"https://acme.example/**"}]}}',
    call: { launch: { kind: 'http', url: 'https://acme.example/a/../b' } },
    expected: 'allow rule user[0]',
  },
  {
    name: 'a program is no URL',
    rules: [allow],
    managed: '{"servers":{"allow":[{"url":"**"}]}}',
    expected: 'deny serverNotListed',
  },
  { name: 'file that is not JSON', rules: [allow], managed: '{', expected: 'deny brokenMachinePolicy' },
  {
    name: 'file with a broken list',
    rules: [allow],
    managed: '{"servers":["github"]}',
    expected: 'deny brokenMachinePolicy',
  },
  {
    name: 'file with a broken entry',
    rules: [allow],
    managed: '{"servers":{"allow":["github",{"comand":"x"}]}}',
    expected: 'deny brokenMachinePolicy',
  },
  {
    name: 'file with an unknown key',
    rules: [allow],
    managed: '{"server":{}}',
    expected: 'ask brokenRule managed[-1]',
  },
  {
    name: 'file with a broken limit',
    rules: [allow],
    managed: '{"limits":{"callsPerTurn":-1}}',
    expected: 'ask brokenRule managed[-1]',
  },
  { name: 'empty file content', rules: [allow], managed: '{}', expected: 'allow rule user[0]' },
];

const reviews: readonly Row[] = [
  {
    name: 'review with an allow',
    rules: [{ ...allow, reviewResult: true }],
    expected: 'allow rule user[0] review',
  },
  {
    name: 'review with an ask',
    rules: [{ ...ask, reviewResult: true }],
    expected: 'ask rule user[0] review',
  },
  {
    name: 'review asked for by the workspace',
    rules: [allow],
    workspace: [{ ...ask, reviewResult: true }],
    expected: 'ask rule workspace[0] review',
  },
  {
    name: 'review of a rule that does not apply',
    rules: [allow, { server: 'x', tool: '*', decision: 'ask', reviewResult: true }],
    expected: 'allow rule user[0]',
  },
];

const groups = {
  decisions,
  names,
  callers,
  times,
  values,
  texts,
  places,
  claims,
  origins,
  broken,
  grants,
  limits,
  machine,
  reviews,
};

for (const [group, rows] of Object.entries(groups)) {
  describe(`decide: ${group}`, () => {
    for (const { name, rules, workspace, managed, grants: given = [], call, expected } of rows) {
      it(name, () => {
        const policy = compilePolicy({
          user: rules,
          workspace: [{ source: 'folder', value: workspace }],
          limits: defaultLimits,
          ...(managed === undefined ? {} : { managed: parseManagedPolicy(managed, '/etc/policy.json') }),
        });
        assert.equal(summary(decide(callFacts(call), policy, new GrantIndex(given))), expected);
      });
    }
  });
}
