/**
 * `node ../../scripts/emit.ts`, in a package: writes into its `dist` what its tarball contains,
 * which is JavaScript and declarations of its exports and commands, with all that they import from
 * other packages of the workspace. So each tarball installs without the others. The dependencies of
 * these packages go into `.tarball/dependencies.json`, from which `.pnpmfile.mjs` adds them to the
 * package.json of the tarball.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { parse } from 'yaml'
import { readAssets } from '../packages/sandbox/src/page/page.ts'

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly sideEffects?: boolean
  readonly engines: { readonly node: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  /** What the tarball has instead. */
  readonly publishConfig: Pick<Manifest, 'exports' | 'bin'>
}

/** It warns that TypeScript 7 has no API. */
const SILENT = { info() {}, warn() {}, error: console.error }

/** Imports whose code goes into the bundle: packages of the workspace, files, and helpers of rolldown. */
const BUNDLED_IMPORT = /^(@partner-payments\/|@oxc-project\/runtime\/|\.)/

/** Writes the `dist` of the package in a folder. */
async function emit(home: string): Promise<void> {
  const manifest = readManifest(home)
  // The packages whose dependencies the bundle imports, by their folders.
  const owners = new Map<string, Manifest>()
  rmSync(join(home, 'dist'), { recursive: true, force: true })
  await build({
    cwd: home,
    input: findEntries(manifest),
    platform: 'node',
    /**
     * Whether an import stays in the output instead of being bundled: a module of Node, or a
     * dependency, which the package of the importing file must declare.
     */
    external(id, importer) {
      const isBundled = BUNDLED_IMPORT.test(id) || isAbsolute(id)
      if (isBundled) return false
      if (id.startsWith('node:')) return true

      const folder = importer === undefined ? home : findPackage(importer)
      const owner = owners.get(folder) ?? readManifest(folder)
      requireDependency(id, owner)
      owners.set(folder, owner)
      return true
    },
    checks: { pluginTimings: false },
    plugins: [
      filesByPath,
      defaultOfJson,
      createNodeGuard(manifest),
      dts({
        generator: 'tsgo',
        tsconfig: join(import.meta.dirname, '../tsconfig.emit.json'),
        logger: SILENT,
      }),
    ],
    output: {
      dir: 'dist',
      chunkFileNames: '[name].js',
      // Bundlers leave out whole modules of a library, but not statements of a chunk that may have
      // effects.
      preserveModules: manifest.sideEffects === false,
      preserveModulesRoot: 'src',
      // Modules of other packages stand in folders of their names.
      entryFileNames: ({ name }) => `${name.replace(/^packages\/(\w+)\/src\//, '$1/')}.js`,
    },
  })
  writeDependencies(home, owners.values())
}

/** The source of each file that the tarball exports or runs, by the name of that file. */
function findEntries({ exports, bin, publishConfig }: Manifest): Record<string, string> {
  const sources: Readonly<Record<string, string | undefined>> = { ...exports, ...bin }
  const targets = Object.entries({ ...publishConfig.exports, ...publishConfig.bin })
  const entries: Record<string, string> = {}
  for (const [key, file] of targets) {
    // The other export is package.json, which is there already.
    if (!file.endsWith('.js')) continue
    entries[basename(file, '.js')] = sources[key] ?? ''
  }
  return entries
}

const ROOT = join(import.meta.dirname, '..')

function readManifest(home: string): Manifest {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
}

/** The folder of the package that a file of this workspace belongs to. */
function findPackage(file: string): string {
  const [home] = /^packages.[^/\\]+/.exec(relative(ROOT, file)) ?? []
  if (home) return join(ROOT, home)
  throw new Error(`${file} is in no package: only "packages" may import a dependency`)
}

function requireDependency(id: string, { name, dependencies, peerDependencies }: Manifest): void {
  const [needed = id] = /^(@[^/]+\/)?[^/]+/.exec(id) ?? []
  if (needed in { ...dependencies, ...peerDependencies }) return
  throw new Error(`${name} imports ${id}, so it needs ${needed} among its dependencies`)
}

/**
 * Writes the dependencies of a tarball with their versions: all of the bundled packages, also those
 * that no file imports, since one may pin what another one installs.
 */
function writeDependencies(home: string, owners: Iterable<Manifest>): void {
  const { catalog } = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'))
  const versions: Record<string, string> = {}
  for (const { dependencies = {} } of owners) {
    for (const name of Object.keys(dependencies)) {
      if (catalog[name] === undefined) throw new Error(`the catalog has no version of ${name}`)
      versions[name] = catalog[name]
    }
  }
  mkdirSync(join(home, '.tarball'), { recursive: true })
  writeFileSync(join(home, '.tarball/dependencies.json'), JSON.stringify(versions))
}

interface Asset {
  readonly fileName: string
  readonly source: string | Uint8Array
}

/**
 * By module, the files that it reads by their paths, in a folder beside the bundle that contains
 * it.
 */
const ASSETS_BY_MODULE: Readonly<Record<string, () => Asset[]>> = {
  'packages/sandbox/src/page/page.ts': () =>
    Array.from(readAssets(), ([name, { body }]) => ({
      fileName: `browser/${name}`,
      source: body,
    })),
  'packages/conformance/src/report/html.ts': () =>
    readFolder('packages/conformance/src/report/html', 'html', '*'),
  'packages/cli/src/mcp/pages.ts': () => readFolder('docs/dist', 'docs', '{llms.txt,**/*.md}'),
}

/** The files of a folder that match a pattern, to be written to another folder of the bundle. */
function readFolder(folder: string, folderInBundle: string, pattern: string): Asset[] {
  const cwd = join(ROOT, folder)
  return globSync(pattern, { cwd }).map((name) => ({
    fileName: `${folderInBundle}/${name}`,
    source: readFileSync(join(cwd, name)),
  }))
}

const filesByPath: Plugin = {
  name: 'files-by-path',
  transform(_, id) {
    const module = relative(ROOT, id).replaceAll('\\', '/')
    const readAssetsOfModule = ASSETS_BY_MODULE[module]
    if (!readAssetsOfModule) return
    for (const { fileName, source } of readAssetsOfModule())
      this.emitFile({ type: 'asset', fileName, source })
  },
}

/**
 * Node has only the default export of JSON. rolldown would add one for each name at the top, and
 * export them all from chunks.
 */
const defaultOfJson: Plugin = {
  name: 'default-of-json',
  load: {
    filter: { id: /\.json$/ },
    handler(id) {
      const json = JSON.stringify(JSON.parse(readFileSync(id, 'utf8')))
      return {
        code: `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(json)})`,
        moduleType: 'js',
      }
    },
  },
}

/** Without a stack trace. Not 1, because the checker's 1 means findings. */
const EXIT = "process.stderr.write(message + '\\n')\n  process.exit(2)"
const THROW = 'throw new Error(message)'

/**
 * Lets the compiled entries of a package with a command refuse an older Node than its `engines`.
 * The check is the first import of each entry, so it runs before any module that fails there.
 */
function createNodeGuard({ name, bin, engines }: Manifest): Plugin {
  return {
    name: 'require-node',
    /** Adds a file with the check, and its import to the beginning of each entry. */
    generateBundle(_, bundle) {
      if (!bin) return

      const [command = ''] = Object.keys(bin)
      for (const chunk of Object.values(bundle)) {
        const isEntry = chunk.type === 'chunk' && chunk.isEntry && chunk.fileName.endsWith('.js')
        if (!isEntry) continue

        const [shebang = ''] = /^#!.*\n/.exec(chunk.code) ?? []
        const isCommand = shebang !== ''
        const fileName = isCommand ? 'require-node-to-run.js' : 'require-node.js'
        const source = isCommand
          ? writeGuard(command, engines.node, EXIT)
          : writeGuard(name, engines.node, THROW)
        this.emitFile({ type: 'asset', fileName, source })
        chunk.code = `${shebang}import './${fileName}'\n${chunk.code.slice(shebang.length)}`
      }
    },
  }
}

/**
 * The source of a module that refuses a Node older than the needed one.
 *
 * @param needed The range of `engines.node`, such as `>=24.18`.
 * @param refuse The statement that refuses: it exits or throws.
 */
function writeGuard(name: string, needed: string, refuse: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(needed) ?? []
  if (!major) throw new Error(`engines.node of ${name} must be like >=24.18, got "${needed}"`)
  return `const [major, minor] = process.versions.node.split('.').map(Number)
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  const message = \`${name} needs Node ${major}.${minor} or later; this is \${process.versions.node}\`
  ${refuse}
}
`
}

await emit(process.cwd())
