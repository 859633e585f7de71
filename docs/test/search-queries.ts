import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'

/** What somebody searches for, and the page to find, or any of several. */
export type Queries = Readonly<Record<string, string | readonly string[]>>

/** The groups of a file of queries. */
export async function readQueries(file: URL): Promise<Queries[]> {
  return parseAllDocuments(await readFile(file, 'utf8')).map((document) => document.toJS())
}

/** Whether an address is one of those: a page, one section of it, or any page of a folder. */
export function isExpected(address: string, expected: string | readonly string[]): boolean {
  return [expected].flat().some((wanted) => isAt(address, wanted))
}

function isAt(address: string, wanted: string): boolean {
  if (wanted.endsWith('/')) return address.startsWith(wanted)
  return wanted.includes('#') ? address === wanted : address.split('#')[0] === wanted
}
