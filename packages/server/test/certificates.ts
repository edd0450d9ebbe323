import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  key: string;
  cert: string;
}

/** Tests that need certificates are skipped without openssl. */
export const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('openssl was not found: the tests with real certificates are skipped');
    return false;
  }
})();

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate authority for tests. */
export function authority() {
  const dir = mkdtempSync(join(tmpdir(), 'store-sales-ca-'));
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' });
  run('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority', '-days', '2');
  let serial = 0;

  return {
    ca: readFileSync(join(dir, 'ca.pem'), 'utf8'),
    caFile: join(dir, 'ca.pem'),
    issue(name: string, { isExpired = false, isSelfSigned = false } = {}): Pair {
      const id = `c${++serial}`;
      writeFileSync(join(dir, `${id}.ext`), `subjectAltName=DNS:${name}\n`);
      run('req', '-new', ...newKey, '-keyout', `${id}.key`, '-out', `${id}.csr`, '-subj', `/CN=${name}`);
      const signer = isSelfSigned
        ? ['-signkey', `${id}.key`]
        : ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      const sign = (...validity: string[]) =>
        run('x509', '-req', '-in', `${id}.csr`, ...signer, '-extfile', `${id}.ext`, '-out', `${id}.pem`, ...validity);
      if (!isExpired) sign('-days', '2');
      else {
        try {
          sign('-not_before', '20200101000000Z', '-not_after', '20200102000000Z');
        } catch {
          // OpenSSL before 3.4 has no options for the dates, but accepts negative days.
          sign('-days', '-1');
        }
      }
      return { key: readFileSync(join(dir, `${id}.key`), 'utf8'), cert: readFileSync(join(dir, `${id}.pem`), 'utf8') };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
