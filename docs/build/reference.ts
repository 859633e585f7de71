import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'

/** The files that the page of the reference loads, by name: its programs, and Redoc, which draws it. */
export async function referenceFiles(): Promise<Record<string, string>> {
  const read = (url: string) => readFile(new URL(url), 'utf8')
  const redoc = await read(import.meta.resolve('redoc/bundles/redoc.standalone.js'))
  return {
    'reference.js': await read(import.meta.resolve('./browser/reference.js')),
    'example-dates.js': stripTypeScriptTypes(await read(import.meta.resolve('./example-dates.ts'))),
    'redoc.js': redoc.replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[a-z-]+\.svg/g, LOGO),
  }
}

/**
 * The logo of Redoc, which would fetch it from its own site. Redoc drops a logo that does not load, so
 * this one has to be an image with a size.
 */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="42" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" fill="#4666d8">Redoc</text></svg>',
)}`
