import { builtinModules } from 'node:module'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * The size of a module in bytes: bundled, minified, gzip -9. `source` imports from `folder`. Imports from Node do not
 * count, in favour of the peer.
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
