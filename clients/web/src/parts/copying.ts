/**
 * Puts words where other programs take them from, and says whether they are there. Over plain http a browser gives no clipboard, and
 * elsewhere it may refuse it; what is marked in a field can be copied all the same, by most of them.
 */
export async function copied(words: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return copiedAsMarked(words, beside);
  }
}

/** The field stands beside what was pressed, since a dialog lets nothing be marked outside of it. */
function copiedAsMarked(words: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = words;
  field.readOnly = true; // or a phone shows its keyboard
  field.style.cssText = 'position:fixed;opacity:0';
  beside.after(field);
  try {
    field.select();
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    beside.focus();
  }
}
