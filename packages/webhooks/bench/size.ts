import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** What an import adds to a page or a worker, in bytes: one minified module, gzip -9. */
export async function bundledSize(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
