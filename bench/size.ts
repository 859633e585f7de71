import { builtinModules } from 'node:module'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * What a module adds to a page or a worker, in bytes: bundled into one, minified, gzip -9.
 * `source` imports from `folder`. What a peer takes from Node is not counted, in its favour.
 */
export async function bundledSize(source: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    external: [...builtinModules],
    write: false,
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}
