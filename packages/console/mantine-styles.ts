import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The component styles that the console imports; Mantine's own file of all styles is twice as large. */
const LIST = join(import.meta.dirname, 'src/mantine.css');
const ALL_STYLES = createRequire(import.meta.url).resolve('@mantine/core/styles.css');
const STYLES = join(dirname(ALL_STYLES), 'styles');
const GLOBAL = ['baseline.css', 'default-css-variables.css', 'global.css'];

const classesIn = (file: string) => new Set(readFileSync(file, 'utf8').match(/\bm_[0-9a-f]+\b/g));

/** Fails the build unless src/mantine.css has the styles of the components in use, no others, in Mantine's order. */
export function checkMantineStyles(): Plugin {
  return {
    name: 'check-mantine-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      // Every styled component of Mantine has a module with its class names.
      const used = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const id of Object.keys(chunk.modules))
            if (/@mantine\/core\/.*\.module\.mjs$/.test(id)) for (const name of classesIn(id)) used.add(name);

      const all = readFileSync(ALL_STYLES, 'utf8');
      const needed = readdirSync(STYLES)
        .map((file) => ({ file, classes: [...classesIn(join(STYLES, file))] }))
        .filter(({ file, classes }) => !file.endsWith('.layer.css') && classes.some((name) => used.has(name)))
        .sort((a, b) => all.indexOf(a.classes[0] as string) - all.indexOf(b.classes[0] as string))
        .map(({ file }) => file);
      const expected = [...GLOBAL, ...needed].map((file) => `@import "@mantine/core/styles/${file}";`).join('\n');
      const imports = readFileSync(LIST, 'utf8').match(/^@import.*$/gm) ?? [];
      if (imports.join('\n') !== expected)
        this.error(`The imports of src/mantine.css do not match the components in use. They must be:\n${expected}`);
    },
  };
}
