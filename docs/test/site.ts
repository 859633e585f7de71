import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { buildDocs } from '../build/buildDocs.ts'
import type { Contract } from '../build/contract.ts'
import type { Questions } from '../build/marks.ts'

// The contract's own lint holds both files to these shapes.
export const contract = openapi as unknown as Contract
export const questions = register as Questions

/** The docs, built for one test file: the folder, its pages by name, and how to remove it. */
export type Site = { out: string; pages: Map<string, string>; remove(): Promise<void> }

export async function buildSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'))
  const out = join(folder, 'dist')
  await buildDocs({ contract, questions, out })
  const names = (await readdir(out, { recursive: true })).filter((name) => name.endsWith('.html'))
  const texts = await Promise.all(names.map((name) => readFile(join(out, name), 'utf8')))
  const pages = new Map(names.map((name, index) => [name.replaceAll('\\', '/'), texts[index] ?? '']))
  return { out, pages, remove: () => rm(folder, { recursive: true }) }
}
