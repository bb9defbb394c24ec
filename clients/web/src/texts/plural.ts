type Forms = { one: string; few?: string; many?: string; other: string };

/** Chooses the form that a language has for a number, and puts the number in the place of `#`. */
export function plural(language: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (n, forms) => {
    const form = rules.select(n);
    const found = form === 'one' || form === 'few' || form === 'many' ? forms[form] : undefined;
    return (found ?? forms.other).replace('#', n < 1000 ? String(n) : n.toLocaleString(language));
  };
}
