// The weight of `sign` and `verify` in a page or a worker: one minified module, gzip -9.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const { outputFiles } = await build({
  stdin: {
    contents: "export { sign, verify } from '../src/index.ts'",
    resolveDir: import.meta.dirname,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2022',
  write: false,
})
const text = outputFiles[0]?.text ?? ''
console.log(`sign and verify: ${text.length} B minified, ${gzipSync(text, { level: 9 }).length} B gzipped`)
