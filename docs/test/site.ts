import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import declared from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import statements from '@partner-payments/spec/facts.json' with { type: 'json' }
import short from '@partner-payments/spec/guide.json' with { type: 'json' }
import register from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import openapi from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type Contract, type Questions, withShortPaths } from '../build/contract.ts'

// The contract's own lint holds the files to these shapes.
export const contract = openapi as unknown as Contract
export const guide = short as unknown as Contract
/** Both documents, as the reference shows them. */
export const whole = withShortPaths(contract, guide)
export const questions = register as Questions
export const behaviour = declared as Behaviour
export const facts = statements

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
