/** Scripts that a reader of one of them may take for another. */
const confusable = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const;

const byScript = confusable.map((script) => ({
  script,
  letter: new RegExp(`\\p{Script=${script}}`, 'u'),
}));

/** The look-alike scripts that a text mixes, in order of their first letters in the list; fewer than two is none. */
export function mixedScripts(text: string): readonly string[] {
  const found = byScript.filter(({ letter }) => letter.test(text)).map(({ script }) => script);
  return found.length > 1 ? found : [];
}
