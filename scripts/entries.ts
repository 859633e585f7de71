import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Manifest {
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

/** A source file that users import or run, and the file of `dist` that the tarball has instead. */
export interface Entry {
  readonly name: string
  readonly source: string
  readonly packed: string
  readonly command?: string
}

export function readManifest(home: string): Manifest {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest
}

export function entriesOf({ exports = {}, bin = {}, publishConfig }: Manifest): Entry[] {
  const modules = Object.entries(publishConfig.exports ?? {}).map(([key, packed]) => {
    return { packed, source: exports[key] }
  })
  const commands = Object.entries(publishConfig.bin ?? {}).map(([command, packed]) => {
    return { command, packed, source: bin[command] }
  })
  return [...modules, ...commands].map(({ source = '', ...entry }) => {
    return { ...entry, source, name: basename(entry.packed, '.js') }
  })
}
