import { readFile } from 'node:fs/promises'
import type { Operation } from './contract.ts'
import type { Sample } from './decorate.ts'

const KINDS = [
  { extension: 'sh', lang: 'Shell', label: 'curl' },
  { extension: 'ts', lang: 'TypeScript', label: 'TypeScript' },
]

/** The samples of every operation, read from files that the tests execute. Throws where one is missing. */
export async function readSamples(operations: Operation[]): Promise<Map<string, Sample[]>> {
  const entries = operations.map(async ({ node: { operationId } }) => {
    const samples = KINDS.map(async ({ extension, lang, label }) => {
      const file = new URL(`../samples/${operationId}.${extension}`, import.meta.url)
      return { lang, label, source: await readFile(file, 'utf8') }
    })
    return [operationId, await Promise.all(samples)] as const
  })
  return new Map(await Promise.all(entries))
}
