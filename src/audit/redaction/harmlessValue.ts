const harmlessWords = new Set(
  `
  a an and any are as at be but by can for from has have he her his how i if in into is it its may must my no not
  of on or our should so than that the their then there these this to too used using via was we were what when where
  which who why will with you your
  required optional none null nil undefined true false yes off empty missing invalid incorrect expired wrong unset
  default redacted hidden masked unknown changed reset forgotten string str text number integer int boolean bool
  object array any type format field value name here below above
  basic bearer digest ntlm negotiate oauth oauth2 oidc saml apikey api-key token password secret mutual
  include omit same-origin
  `
    .trim()
    .split(/\s+/),
);

const references = [
  // A place for a value, in the notations of shells, templates and documentation.
  /^\$[\w({]/,
  /^%\w+%$/,
  /^\{\{?[^{}]*\}?\}$/,
  /^<[^<>]*>?$/,
  /^\[[^[\]]*\]?$/,
  /^\*{2,}$/,
  /^[xX]{3,}$/,
  /^[.…]{2,}$/,
  /^•+$/,
  // A variable of a program.
  /^(?:process\.env|os\.(?:environ|getenv)|import\.meta\.env|env|secrets|vars|config|args|self|this)[.[(]/i,
  /^!(?:Ref|GetAtt|Sub)\b/,
  /^\[?(?:secret|cut|digest)[: ]/,
];

/** What stands where a secret would stand and is none: a word of documentation, or a reference to the secret. */
export function isHarmlessValue(value: string): boolean {
  const text = value.trim();
  if (text === '') return true;
  if (text.length <= 12 && harmlessWords.has(text.toLowerCase())) return true;
  return text.length <= 200 && references.some((pattern) => pattern.test(text));
}

/** One word of ordinary spelling: in a sentence it is a word, in a setting it may be a poor password. */
export function isPlainWord(value: string): boolean {
  return /^\p{Lu}?\p{Ll}+(?:['’-]\p{Ll}+)*$/u.test(value);
}
