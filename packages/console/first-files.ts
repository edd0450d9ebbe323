import { join } from 'node:path';
import type { Plugin } from 'vite';

/** What public/start.js may preload: the texts of a language, and the screens that are opened first. */
const FIRST = {
  en: 'i18n/en.ts',
  ru: 'i18n/ru.ts',
  'sign-in': 'screens/sign-in/sign-in.tsx',
  home: 'screens/home/home.tsx',
};

/** Tells start.js, in an attribute of its element, which files of the build these modules are in. */
export function firstFiles(): Plugin {
  let base = '/';
  return {
    name: 'first-files',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, chunk: entry }) {
        const withImports = (file: string, found = new Set<string>()) => {
          const chunk = bundle[file];
          if (chunk?.type !== 'chunk' || found.has(file)) return found;
          found.add(file);
          for (const imported of chunk.imports) withImports(imported, found);
          return found;
        };
        const known = withImports(entry?.fileName ?? '');
        const filesOf = (module: string) => {
          const id = join(import.meta.dirname, 'src', module);
          const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.includes(id));
          if (!chunk) throw new Error(`first-files.ts: ${module} is not in the build`);
          return [...withImports(chunk.fileName)].filter((file) => !known.has(file)).map((file) => base + file);
        };
        const files = Object.entries(FIRST).map(([name, module]) => [name, filesOf(module)]);
        const source = `src="${base}start.js"`;
        if (!html.includes(source)) throw new Error('first-files.ts: index.html does not load start.js');
        return html.replace(source, `${source} data-files='${JSON.stringify(Object.fromEntries(files))}'`);
      },
    },
  };
}
