// Prints what the package weighs in a bundle, minified and compressed. Build first.
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const index = resolve(import.meta.dirname, '../dist/index.js')

for (const names of ['decode, encode', 'decode', 'encode', 'keyKind', 'isCpf, isCnpj', 'crc16']) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names} } from ${JSON.stringify(index)}`, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  console.log(`${String(size).padStart(5)} bytes  ${names}`)
}
