import { readdirSync, readFileSync } from 'node:fs'
import * as module from 'node:module'

/** A file for the browser. */
export interface Asset {
  readonly type: string
  readonly body: string
}

const FOLDER = new URL('./browser/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** The browser's files by name: as packed, or from source with the types stripped. */
export function readAssets(): ReadonlyMap<string, Asset> {
  return new Map(readdirSync(FOLDER).map(assetOf))
}

function assetOf(file: string): [string, Asset] {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  const name = file.replace(/\.ts$/, '.js')
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return [name, { type, body: name === file ? text : scriptOf(text) }]
}

/** Strips types and renames imports to `.js`. */
function scriptOf(source: string): string {
  return withoutTypes(source).replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}

/** Without the warning of Node that this is experimental. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
