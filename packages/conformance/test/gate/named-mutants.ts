import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Entry } from './gate.ts'
import { subjects } from './subjects.ts'

export const entries: readonly Entry[] = JSON.parse(
  readFileSync(new URL('../gate.json', import.meta.url), 'utf8'),
).entries

/** The ids of all mutants that something named when they were recorded. */
export const namedMutants: readonly string[] = entries.flatMap(({ id, named }) =>
  /^(faulty|realistic)\//.test(id) && named.length > 0 ? id : [],
)

/** Expects that the checker names a mutant as it was recorded, or in another way. */
export async function expectNamed(id: string): Promise<void> {
  const subject = subjects.find((it) => it.id === id)
  const entry = entries.find((it) => it.id === id)
  if (!subject || !entry) throw new Error(`there is no recorded mutant "${id}"`)
  const { outcome, texts } = await subject.verify(entry)
  expect(outcome, texts.join('\n')).not.toBe('regression')
}
