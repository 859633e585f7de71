import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SPEC } from '@partner-payments/spec/build'
import { type Declared, withShortPaths } from '../build/contract.ts'
import { findUses } from '../build/questions-page.ts'
import { readBuilt } from '../build/site.ts'

export const { contract, guide, questions, behaviour } = await readBuilt(SPEC)
/** Both documents, as the reference shows them. */
export const whole = withShortPaths(contract, guide)

const uses = findUses(whole)

/**
 * The open questions that pages must show beside an operation or event. They show no links, so
 * neither their marks.
 */
export function questionsOf({ id }: Declared): string[] {
  const ids: string[] = []
  for (const [question, places] of uses) {
    const isShown = places.some(({ isLink, operation }) => !isLink && operation?.id === id)
    if (isShown) ids.push(question)
  }
  return ids
}

/** The docs as they were built: the folder, the names of its files, its pages by name. */
export type Site = {
  out: string
  files: Set<string>
  pages: Map<string, string>
  read(name: string): Promise<string>
}

export async function readSite(): Promise<Site> {
  const out = fileURLToPath(new URL('../dist', import.meta.url))
  const read = (name: string) => readFile(join(out, name), 'utf8')
  const files = (await readdir(out, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  const names = files.filter((name) => name.endsWith('.html'))
  const texts = await Promise.all(names.map(read))
  return {
    out,
    files: new Set(files),
    pages: new Map(names.map((name, index) => [name, texts[index] ?? ''])),
    read,
  }
}
