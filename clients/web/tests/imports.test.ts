import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const SOURCES = resolve(import.meta.dirname, '../src');
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)'/g; // at once or when it is needed, and types as well

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(SOURCES, name));
const imported = new Map(files.map((file) => [file, importedBy(file)]));

function importedBy(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => resolve(dirname(file), path));
  return found.filter((path) => /\.tsx?$/.test(path));
}

/** The way from a file back to one that is on it already, if any leads there. */
function circle(file: string, way: string[], known: Set<string>): string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (known.has(file)) return undefined;
  known.add(file);
  for (const one of imported.get(file) ?? []) {
    const found = circle(one, [...way, file], known);
    if (found) return found;
  }
  return undefined;
}

test('every import leads to a file', () => {
  const all = [...imported.values()].flat();
  assert.ok(all.length > files.length);
  assert.deepEqual(all.filter((path) => !existsSync(path)), []);
});

test('no file is imported by what it imports', () => {
  const known = new Set<string>();
  const found = files.map((file) => circle(file, [], known)).find((way) => way !== undefined);
  assert.equal(found?.map((path) => relative(SOURCES, path)).join(' -> '), undefined);
});
