import { createHash } from 'node:crypto'
import type { Facts } from '../facts.ts'
import { pointerBelow } from '../operations.ts'
import recorded from '../recorded-facts.json' with { type: 'json' }
import type { Rule } from '../rule.ts'

const RECORD = 'spec/lint/recorded-facts.json'

/** A statement or the shown values of a field, by the name in the record. */
interface Entry {
  readonly name: string
  readonly at: string
  readonly digest: string
}

/**
 * Reports statements and values of facts.yaml that differ from their digests in
 * recorded-facts.json. Nothing else would notice that a line was changed or lost. The record has a
 * line for each, so that two branches can each add one.
 */
export const factsRecorded: Rule = function* ({ facts: { value, file } }) {
  const sections = { statements: listStatements(value), accepts: listShownValues(value) }
  for (const section of ['statements', 'accepts'] as const) {
    const digests: Readonly<Record<string, string>> = recorded[section]
    const entries = sections[section]
    const changed = entries.filter(({ name, digest }) => digests[name] !== digest)
    for (const { name, at, digest } of changed) {
      const message = `"${name}" is not what was recorded of the document; undo the change, or, if the document changed, write "${name}": "${digest}" into ${RECORD}.`
      yield { message, at, file }
    }
    // An entry with a new name would be reported twice, as changed and as lost.
    if (changed.length > 0) continue

    const names = new Set(entries.map(({ name }) => name))
    for (const name of Object.keys(digests)) {
      if (names.has(name)) continue
      const message = `"${name}" was recorded of the document, but is not here; add it again, or, if the document changed, remove it from ${RECORD}.`
      yield { message, at: `/${section}`, file }
    }
  }
}

/** The statements, each by its id. */
function listStatements({ statements }: Facts): Entry[] {
  return statements.map((statement, index) => ({
    name: statement.id,
    at: pointerBelow('/statements', index),
    digest: createDigest(statement),
  }))
}

/**
 * The values that the document shows, each with the name of its field in the record, such as
 * `getTransfer#/status`, and its digest.
 */
function listShownValues({ accepts }: Facts): Entry[] {
  return Object.entries(accepts).flatMap(([id, places]) =>
    Object.entries(places).map(([pointer, values]) => ({
      name: `${id}#${pointer}`,
      at: pointerBelow('/accepts', id, pointer),
      digest: createDigest(values),
    })),
  )
}

/** Short, since it protects from accidents alone. */
function createDigest(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 8)
}
