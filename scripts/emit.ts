/**
 * `node ../../scripts/emit.ts`, in a package: writes into its `dist` what its tarball contains, which is JavaScript and
 * declarations of its exports and commands, with all that they import from other packages of the workspace. So each
 * tarball installs without the others.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { readAssets } from '../packages/sandbox/src/page/assets.ts'
import { entriesOf, type Manifest, readManifest } from './entries.ts'
import { requireNode } from './require-node.ts'

/** It warns that TypeScript 7 has no API. */
const SILENT = { info() {}, warn() {}, error: console.error }

const OWN = /^(@partner-payments\/|@oxc-project\/runtime\/|\.|\/)/

async function emit(home: string): Promise<void> {
  const manifest = readManifest(home)
  rmSync(join(home, 'dist'), { recursive: true, force: true })
  await build({
    cwd: home,
    input: Object.fromEntries(entriesOf(manifest).map(({ source, name }) => [name, source])),
    platform: 'node',
    external: (id) => !OWN.test(id) && isInstalled(id, manifest),
    plugins: [
      filesByPath,
      dts({
        generator: 'tsgo',
        tsconfig: join(import.meta.dirname, '../tsconfig.emit.json'),
        logger: SILENT,
      }),
    ],
    output: { dir: 'dist', chunkFileNames: '[name].js' },
  })
  requireNode(home, manifest)
}

function isInstalled(id: string, { name, dependencies, peerDependencies }: Manifest): boolean {
  const needed = /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
  if (id.startsWith('node:') || needed in { ...dependencies, ...peerDependencies }) return true
  throw new Error(`${name} contains an import of ${id}, so it needs ${needed} among its dependencies`)
}

/** What the sandbox starts or serves by its path stands beside the bundle that contains it. */
const filesByPath: Plugin = {
  name: 'files-by-path',
  transform(_, id) {
    if (id.endsWith('/sandbox/src/store/survey.ts'))
      this.emitFile({ type: 'chunk', id: join(dirname(id), 'survey-child.ts'), fileName: 'survey-child.js' })
    if (id.endsWith('/sandbox/src/page/assets.ts'))
      for (const [file, { body }] of readAssets())
        this.emitFile({ type: 'asset', fileName: `browser/${file}`, source: body })
  },
}

await emit(process.cwd())
