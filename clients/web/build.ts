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
const COMPRESSED = /\.(js|css|svg|html)$/;

/** The four generated clients come with four copies of the same runtime; pages need it once. */
const oneRuntime: Plugin = {
  name: 'one-runtime',
  setup(building) {
    building.onResolve({ filter: /\/(client|core)\/[\w.]+\.ts$/ }, ({ importer, path, kind, resolveDir }) => {
      const service = /generated\/(pairing|results|standings)\//.exec(importer)?.[1];
      if (!service) {
        return undefined;
      }
      const folder = resolveDir.replace(`/generated/${service}`, '/generated/registration');
      return building.resolve(path, { kind, resolveDir: folder, importer: '' });
    });
  },
};

const options: BuildOptions = {
  absWorkingDir: HERE,
  entryPoints: { main: 'src/main.tsx', icon: 'assets/icon.svg' },
  outdir: join(NEXT, 'assets'),
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  metafile: true,
  target: ['es2022', 'chrome109', 'firefox115', 'safari16'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.svg': 'copy' },
  plugins: [oneRuntime],
  logLevel: 'warning',
};

async function made(metafile: Metafile): Promise<void> {
  const outputs = Object.entries(metafile.outputs);
  const named = (entry: string) => {
    const found = outputs.find(([, output]) => output.entryPoint === entry);
    if (!found) throw new Error(`Nothing was made of ${entry}.`);
    return { path: address(found[0]), ...found[1] };
  };
  const main = named('src/main.tsx');
  const icon = outputs.find(([path]) => path.endsWith('.svg'))?.[0] ?? '';
  const names: Record<string, string> = {
    script: main.path,
    style: address(main.cssBundle ?? ''),
    icon: address(icon),
    preloads: main.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => `<link rel="modulepreload" href="${address(path)}">`)
      .join('\n'),
  };
  for (const page of ['index.html', 'plain.html']) {
    const template = await readFile(join(HERE, page), 'utf8');
    await writeFile(join(NEXT, page), template.replace(/%(\w+)%/g, (_, name: string) => names[name] ?? ''));
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

/** The files of the start, and those that each module below a folder needs besides, whole. */
function needed(metafile: Metafile): { always: Set<string>; below: (folder: string) => Set<string>[] } {
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
  const start = entries.find(([, { entryPoint }]) => entryPoint === 'src/main.tsx');
  const always = new Set([address(start?.[1].cssBundle ?? ''), ...closure(start?.[0] ?? '')]);
  const below = (folder: string) =>
    entries.filter(([, { entryPoint }]) => entryPoint?.startsWith(folder)).map(([path]) => closure(path));
  return { always, below };
}

/** What a browser fetches before it shows the page that needs most: the HTML, the style, the start, texts and the page. */
function firstView(metafile: Metafile, sizes: Map<string, number>): number {
  const { always, below } = needed(metafile);
  const sum = (paths: Iterable<string>) => [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0);
  const heaviest = (folder: string) =>
    Math.max(0, ...below(folder).map((paths) => sum([...paths].filter((one) => !always.has(one)))));
  return sum(['/index.html', ...always]) + heaviest('src/texts/') + heaviest('src/pages/');
}

/** The worker of the desk, which keeps what the desk needs in every language. It is another one when any of it is. */
async function worker(metafile: Metafile): Promise<void> {
  const { always, below } = needed(metafile);
  const files = [...new Set([always, ...below('src/pages/desk/'), ...below('src/texts/')].flatMap((one) => [...one]))].sort();
  const page = await readFile(join(NEXT, 'index.html'), 'utf8');
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

await rm(NEXT, { recursive: true, force: true });
if (process.argv.includes('--watch')) {
  const again: Plugin = {
    name: 'again',
    setup: (building) => building.onEnd(async ({ metafile }) => (metafile ? made(metafile) : undefined)),
  };
  const watching = await context({ ...options, plugins: [oneRuntime, again], minify: false });
  await watching.watch();
} else {
  const { metafile } = await build(options);
  if (metafile) await made(metafile);
}
