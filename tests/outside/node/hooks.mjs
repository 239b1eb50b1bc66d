// How modules are found: the programs here use packages that are installed elsewhere, in OUTSIDE_PACKAGES.
import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = pathToFileURL(join(process.env.OUTSIDE_PACKAGES, 'package.json')).href;

// The suite imports `globSync`, which `fs` has from node 22 on, for a command that is not used here.
const withGlobSync = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined;`;

export function resolve(name, context, next) {
  const from = context.parentURL ?? '';
  if (name === 'fs' && fs.globSync === undefined && from.includes('/conformance/dist/')) {
    return { url: `data:text/javascript,${encodeURIComponent(withGlobSync)}`, shortCircuit: true };
  }
  const ours = /^(@modelcontextprotocol\/|ajv)/.test(name) && !from.includes('/node_modules/');
  return next(name, ours ? { ...context, parentURL: packages } : context);
}
