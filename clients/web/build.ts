/** Makes `dist/` of the pages: hashed files, compressed once, and one HTML that names them. */

import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

const HERE = import.meta.dirname;
const MADE = join(HERE, 'dist');
const NEXT = join(HERE, 'dist.next'); // becomes dist in one step, so that nobody is served half of it
const FIRST_VIEW = 100_000; // compressed bytes that the heaviest public page may need, its texts included
// An HTML for each kind of address, which the proxy chooses: it names what its page needs, so that all of that comes at once.
const PAGES = { index: undefined, hall: 'src/pages/hall/hall.tsx', bracket: 'src/pages/public/bracket.tsx', desk: 'src/pages/desk/desk.tsx' };
const START = 'src/main.tsx';
const STYLES = ['desk', 'hall']; // of pages that not everybody opens
const COMPRESSED = /\.(js|css|svg|html)$/;

/** The four generated clients come with four copies of the same runtime; pages need it once. */
const oneRuntime: Plugin = {
  name: 'one-runtime',
  setup(building) {
    building.onResolve({ filter: /\/(client|core)\/[\w.]+\.ts$/ }, ({ path, kind, resolveDir }) => {
      const [wanted, folder] = [path, resolveDir].map((one) => one.replace(/(roundlog|generated)\/(pairing|results|standings)(?=\/|$)/, '$1/registration'));
      if (!wanted || !folder || (wanted === path && folder === resolveDir)) return undefined;
      return building.resolve(wanted, { kind, resolveDir: folder, importer: '' });
    });
  },
};

/** What would make one file wait for another stands in copies: the few operations that spectators ask, and the plurals of each language. */
const copies: Plugin = {
  name: 'copies',
  setup(building) {
    building.onResolve({ filter: /\/(sdk\.gen|plural)\.ts$/ }, async ({ importer, path, kind, resolveDir, pluginData }) => {
      const whose = /\/(?:api\/(public)|(live)_\w+|texts\/([a-z]{2}))\.ts$/.exec(importer)?.slice(1).find(Boolean);
      if (!whose) return undefined;
      const found = await building.resolve(path, { kind, resolveDir });
      return { path: found.path, suffix: `?${whose}${pluginData ?? ''}` };
    });
  },
};

/** A language goes out as a file for each that its source exports: who loads it says which. */
const TEXTS = { index: 'words', all_texts: 'more', season_texts: 'seasons' };
const parted: Plugin = {
  name: 'parted',
  setup(building) {
    building.onResolve({ filter: /^\.\/[a-z]{2}\.ts$/ }, ({ importer, path, kind, resolveDir }) => {
      const loads = /\/texts\/(index|all_texts|season_texts)\.tsx?$/.exec(importer)?.[1] as keyof typeof TEXTS | undefined;
      return loads && kind === 'dynamic-import' ? { path: join(resolveDir, path), suffix: `?${TEXTS[loads]}` } : undefined;
    });
    building.onLoad({ filter: /\/texts\/[a-z]{2}\.ts$/ }, async ({ path, suffix }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/^export const (\w+)/gm, (whole, name: string) => (suffix === `?${name}` ? whole : `const ${name}`));
      return { contents, loader: 'ts', pluginData: suffix };
    });
  },
};

const options: BuildOptions = {
  absWorkingDir: HERE,
  entryPoints: { main: START, icon: 'assets/icon.svg', ...Object.fromEntries(STYLES.map((name) => [name, styleOf(name)])) },
  outdir: join(NEXT, 'assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  banner: { js: '//# allFunctionsCalledOnLoad' }, // what is loaded is needed at once: a browser that knows this prepares it while it comes
  metafile: true,
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  external: ['./prerender.js'], // of preact-iso, for pages that a server makes
  loader: { '.svg': 'copy' },
  plugins: [oneRuntime, copies, parted],
  logLevel: 'warning',
  logOverride: { 'ignored-bare-import': 'silent' },
};

/**
 * What the start shares with whatever is loaded later would be cut up into a file for each group of those who use it, and a browser
 * asks for six at a time. So each of those is said to use all of the start, which then is one file, and the rest of those six is free
 * for what the page asks.
 */
async function inOneFile(): Promise<Plugin> {
  const { metafile } = await build({ ...options, write: false });
  const entries = Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint }) => entryPoint ?? []);
  const later = entries.filter((entry) => /^src\/(pages|parts)\//.test(entry)).map((entry) => join(HERE, entry));
  return {
    name: 'in-one-file',
    setup(building) {
      building.onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path }) => {
        if (!later.includes(path)) return undefined;
        const contents = `import ${JSON.stringify(join(HERE, START))};${await readFile(path, 'utf8')}`;
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/** What runs within the HTML. The policy of the proxy names its hash, so it is made of the same source in the same way. */
async function early(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: HERE,
    entryPoints: ['src/early.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    charset: 'utf8',
    target: options.target ?? [],
    logLevel: 'warning',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

function styleOf(name: string): string {
  return `src/design/${name}.css`;
}

async function made(metafile: Metafile): Promise<void> {
  const outputs = Object.entries(metafile.outputs);
  const named = (entry: string) => {
    const found = outputs.find(([, output]) => output.entryPoint === entry);
    if (!found) throw new Error(`Nothing was made of ${entry}.`);
    return { path: address(found[0]), ...found[1] };
  };
  const { cssBundle = '' } = named(START);
  const icon = outputs.find(([path]) => path.endsWith('.svg'))?.[0] ?? '';
  const { always, style, whole } = needed(metafile);
  const preloads = (scripts: Iterable<string>) =>
    [...new Set(scripts)]
      .filter((path) => path.endsWith('.js') && !always.has(path))
      .map((path) => `<link rel="modulepreload" href="${path}">`)
      .join('\n');
  const languages = await readdir(join(HERE, 'src/texts')).then((names) => names.filter((name) => /^[a-z]{2}\.ts$/.test(name)));
  const links = (part: string) =>
    languages.map((name) => `<link rel="words" hreflang="${name.slice(0, 2)}" href="${named(`src/texts/${name}?${part}`).path}">`).join('\n');
  const names: Record<string, string> = {
    script: [...always].find((path) => path.endsWith('.js')) ?? '',
    style: address(cssBundle),
    icon: address(icon),
    early: await early(),
    words: links(TEXTS.index),
  };
  const page = async (name: string, template: string, more: Record<string, string> = {}) => {
    const content = await readFile(join(HERE, template), 'utf8');
    await writeFile(join(NEXT, name), content.replace(/%(\w+)%/g, (_, what: string) => ({ ...names, ...more })[what] ?? ''));
  };
  await page('plain.html', 'plain.html');
  for (const [name, source] of Object.entries(PAGES)) {
    const more = name === 'desk' ? links(TEXTS.all_texts) : '';
    const styles = STYLES.map((one) => `<link rel="${one === name ? 'stylesheet' : 'style'}" data-style="${one}" href="${style(one)}">`);
    const plain = name === 'hall' ? '/?plain' : '?plain'; // with that the screen of a hall leaves out what is around it
    await page(`${name}.html`, 'index.html', { preloads: preloads(source ? whole(source) : []), styles: styles.join('\n'), more, plain });
  }
  await worker(metafile);
  const sizes = await compressed();
  const first = firstView(metafile, sizes);
  await rm(MADE, { recursive: true, force: true });
  await rename(NEXT, MADE);
  console.log(`The heaviest first view has ${(first / 1000).toFixed(1)} kB.`);
  if (first > FIRST_VIEW) {
    throw new Error(`The first view may have ${FIRST_VIEW / 1000} kB: load later what it does not show.`);
  }
}

function address(path: string): string {
  return path.replace(/^.*dist\.next\//, '/');
}

/** Brotli and gzip beside each file, as well as they can: the proxy hands them out as they are. */
async function compressed(): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(NEXT, { recursive: true })) {
    if (!COMPRESSED.test(name)) continue;
    const path = join(NEXT, name);
    const content = await readFile(path);
    const brotli = await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    await writeFile(`${path}.br`, brotli);
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    sizes.set(`/${name}`, brotli.length);
  }
  return sizes;
}

/** The style and the one file of the start, which that of its name only imports; and the files that each module below a folder needs, whole. */
type Needed = {
  always: Set<string>;
  style: (name: string) => string;
  below: (folder: string, part?: string) => Set<string>[];
  whole: (entry: string) => Set<string>;
};

function needed(metafile: Metafile): Needed {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [address(path), output]));
  const closure = (path: string, found = new Set<string>()): Set<string> => {
    if (!found.has(path)) {
      found.add(path);
      for (const one of outputs.get(path)?.imports ?? []) {
        if (one.kind === 'import-statement') closure(address(one.path), found);
      }
    }
    return found;
  };
  const entries = [...outputs].filter(([path, { entryPoint }]) => entryPoint && path.endsWith('.js'));
  const start = entries.find(([, { entryPoint }]) => entryPoint === START);
  const imported = (start?.[1].imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  const always = new Set([start?.[1].cssBundle ?? '', ...imported].map(address));
  const style = (name: string) => [...outputs].find(([, { entryPoint }]) => entryPoint === styleOf(name))?.[0] ?? '';
  const below = (folder: string, part = '') =>
    entries.filter(([, { entryPoint }]) => entryPoint?.startsWith(folder) && entryPoint.endsWith(part)).map(([path]) => closure(path));
  const whole = (entry: string) => below(entry)[0] ?? new Set<string>();
  return { always, style, below, whole };
}

/** What a browser fetches before it shows the page that needs most: the HTML, the style, the start, texts and the page. */
function firstView(metafile: Metafile, sizes: Map<string, number>): number {
  const { always, style, below } = needed(metafile);
  const sum = (paths: Iterable<string>) => [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0);
  const heaviest = (folder: string, part?: string) =>
    Math.max(0, ...below(folder, part).map((paths) => sum([...paths].filter((one) => !always.has(one)))));
  const texts = [TEXTS.index, TEXTS.all_texts].map((part) => heaviest('src/texts/', `?${part}`));
  return sum(['/desk.html', style('desk'), ...always]) + texts.reduce((all, one) => all + one, 0) + heaviest('src/pages/');
}

/** The worker of the desk, which keeps what the desk needs in every language. It is another one when any of it is. */
async function worker(metafile: Metafile): Promise<void> {
  const { always, style, below } = needed(metafile);
  const files = [...new Set([always, [style('desk')], ...below('src/pages/desk/'), ...below('src/texts/')].flatMap((one) => [...one]))].sort();
  const page = await readFile(join(NEXT, 'desk.html'), 'utf8');
  const version = createHash('sha256').update(files.join() + page).digest('hex').slice(0, 12);
  await build({
    absWorkingDir: HERE,
    entryPoints: ['src/worker.ts'],
    outfile: join(NEXT, 'worker.js'),
    bundle: true,
    format: 'iife',
    minify: true,
    target: options.target ?? [],
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
}

const plugins = [...(options.plugins ?? []), await inOneFile()];
await rm(NEXT, { recursive: true, force: true });
if (process.argv.includes('--watch')) {
  const again: Plugin = {
    name: 'again',
    setup: (building) => building.onEnd(async ({ metafile }) => (metafile ? made(metafile) : undefined)),
  };
  const watching = await context({ ...options, plugins: [...plugins, again], minify: false });
  await watching.watch();
} else {
  const { metafile } = await build({ ...options, plugins });
  if (metafile) await made(metafile);
}
