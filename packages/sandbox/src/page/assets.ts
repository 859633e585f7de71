import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** A file that a browser gets. */
export interface Asset {
  /** Its media type. */
  readonly type: string
  readonly body: string
}

const FOLDER = new URL('./browser/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** What browsers get, by name: as it was built, or, where this runs from source, with the types taken out. */
export function readAssets(): ReadonlyMap<string, Asset> {
  return new Map(readdirSync(FOLDER).map(assetOf))
}

function assetOf(file: string): [string, Asset] {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  const name = file.replace(/\.ts$/, '.js')
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return [name, { type, body: name === file ? text : scriptOf(text) }]
}

/** As the build does it: types erased, and imports that end in `.js`. */
function scriptOf(source: string): string {
  return stripTypeScriptTypes(source).replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}
