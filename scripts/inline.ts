/**
 * `node ../../scripts/inline.ts`, in a package that was just compiled: copies what `dist` imports from other packages of
 * the workspace into `dist/inlined`, and points the imports there. So each package installs without the others. Then
 * lets its command and its imports refuse an old Node.
 */
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { requireNode } from './require-node.ts'

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly default?: string; readonly types?: string }>>
}

const SCOPE = '@partner-payments/'
const IMPORT = /((?:from|import)[\s(]*)(['"])@partner-payments\/([a-z-]+)(\/[\w.-]+)?\2/g
/** Matches lines of code. Examples in comments keep the package names. */
const CODE_LINE = /^(?!\s*(?:\*|\/)).*$/gm
const FROM_INLINED = /((?:\.\.?\/)+)inlined\//g

inline(process.cwd())
requireNode(process.cwd())

function inline(home: string): void {
  const dist = join(home, 'dist')
  const own = manifestIn(home)
  for (const file of sourcesIn(dist)) {
    const point = (whole: string, before: string, quote: string, name: string, subpath = '') => {
      if (SCOPE + name === own.name) return whole
      const target = copyIn(home, own, name, subpath)
      return before + quote + specifier(file, target) + quote
    }
    rewrite(file, (text) => text.replace(CODE_LINE, (line) => line.replace(IMPORT, point)))
  }
  if (existsSync(join(dist, 'inlined'))) writeManifest(home, dist)
}

/** Inlined packages read their version from the folder above. All packages have the same version. */
function writeManifest(home: string, dist: string): void {
  const { name, version, homepage } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  writeFileSync(
    join(dist, 'inlined/package.json'),
    JSON.stringify({ name, version, homepage, type: 'module' }),
  )
}

/** Copies the files of a package export, and returns the path of the copy. */
function copyIn(home: string, own: Manifest, name: string, subpath: string): string {
  const source = realpathSync(join(home, 'node_modules', SCOPE + name))
  const copy = join(home, 'dist/inlined', name)
  const manifest = manifestIn(source)
  const entry = manifest.exports[`.${subpath}`]
  const target = typeof entry === 'string' ? entry : (entry?.default ?? entry?.types)
  if (!target) throw new Error(`${manifest.name} has no export .${subpath}`)
  const file = join(copy, relative('dist', target))
  if (existsSync(file)) return file
  // JSON and type files import nothing, so they are copied alone.
  if (!target.endsWith('.js')) cpSync(join(source, target), file)
  else copyPackage(join(source, 'dist'), copy, own, manifest)
  return file
}

function copyPackage(dist: string, copy: string, own: Manifest, { name, dependencies = {} }: Manifest): void {
  for (const [needed, version] of Object.entries(dependencies))
    if (own.dependencies?.[needed] !== version)
      throw new Error(`${own.name} inlines ${name}, so its dependencies need "${needed}": "${version}"`)
  const inlined = join(dist, 'inlined')
  cpSync(dist, copy, { recursive: true, filter: (file) => file !== inlined })
  // Packages that the copy itself inlined are placed next to it, once.
  if (existsSync(inlined)) cpSync(inlined, dirname(copy), { recursive: true })
  for (const file of sourcesIn(copy)) rewrite(file, (text) => text.replace(FROM_INLINED, '$1../'))
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

function rewrite(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  if (changed !== text) writeFileSync(file, changed)
}

function sourcesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.(js|d\.ts)$/.test(basename(file))).map((file) => join(folder, file))
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
