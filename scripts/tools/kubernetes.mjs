// Checks Kubernetes manifests against the schemas of Kubernetes, which allow unknown fields; and writes them as
// TypeScript constants, because the types do not. Usage: node kubernetes.mjs FILE TYPESCRIPT_FILE
import { readFileSync, writeFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const [, , file, output] = process.argv;
let source = '';
for (const [index, document] of parseAllDocuments(readFileSync(file, 'utf8')).entries()) {
  if (document.errors.length) throw document.errors[0];
  const manifest = document.toJS();
  const { apiVersion, kind } = manifest;
  const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}`);
  if (!Model) throw new Error(`${apiVersion} has no ${kind}`);
  new Model(manifest).validate();
  source += `import type { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}';\n`;
  source += `export const manifest${index}: T${index} = ${JSON.stringify(manifest, null, 2)};\n`;
}
writeFileSync(output, source);
