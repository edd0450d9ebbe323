import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { groups } from './chunks.ts';
import { firstFiles } from './first-files.ts';
import { checkMantineStyles } from './mantine-styles.ts';

/** Writes a .br and a .gz for every text file, so that the server does not compress at run time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        const file = join(dir, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: '/console/',
  plugins: [react(), checkMantineStyles(), firstFiles(), precompress()],
  build: {
    target: 'es2022',
    // For `light-dark()`: what it is replaced with for older browsers needs a `color-scheme` that is not a variable.
    cssTarget: ['chrome125', 'firefox125', 'safari17.5'],
    assetsInlineLimit: 0,
    // One style sheet: Vite does not load a screen's own one again after it has failed.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  // For `npm run dev`. The host stays, as the service accepts changes only from pages of the host that it is called by.
  server: { proxy: { '/console/api': { target: 'http://127.0.0.1:3000', changeOrigin: false } } },
});
