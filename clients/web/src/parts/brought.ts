/** Files of the pages that are loaded when they are first needed. */

const PAUSE = 3_000; // milliseconds

/**
 * Until it has come: the network may be away. Where it is there, the product may have been updated since this page was opened, so that
 * files of its version are gone: it is loaded anew, and goes on where its address says.
 */
export async function brought<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      if (await isOfBefore()) {
        location.reload();
        return new Promise(() => undefined);
      }
      await new Promise((passed) => setTimeout(passed, PAUSE));
    }
  }
}

/** The HTML names the start of its version. */
async function isOfBefore(): Promise<boolean> {
  const start = document.querySelector('script[type="module"]')?.getAttribute('src');
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' } });
    const page = await answer.text();
    return answer.ok && page.includes('<div id="app">') && !page.includes(`src="${start}"`);
  } catch {
    return false;
  }
}
