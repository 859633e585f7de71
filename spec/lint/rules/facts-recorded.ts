import { createHash } from 'node:crypto'
import type { Facts } from '../facts.ts'
import { pointerBelow } from '../operations.ts'
import recorded from '../recorded-facts.json' with { type: 'json' }
import type { Fault, Rule } from '../rule.ts'

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
    for (const fault of sectionFaults(section, sections[section], digests)) yield { ...fault, file }
  }
}

/**
 * Reports entries of facts.yaml that are new, or differ from their recorded digest (a hash of their
 * content); or else recorded ones that facts.yaml no longer has.
 */
function* sectionFaults(
  section: string,
  entries: readonly Entry[],
  digests: Readonly<Record<string, string>>,
): Iterable<Fault> {
  const changed = entries.filter(({ name, digest }) => digests[name] !== digest)
  for (const { name, at, digest } of changed) {
    const message = `"${name}" is not what was recorded of the document; undo the change, or, if the document changed, write "${name}": "${digest}" into ${RECORD}.`
    yield { message, at }
  }
  // An entry with a new name would be reported twice, as changed and as lost.
  if (changed.length > 0) return

  const names = entries.map(({ name }) => name)
  const lost = Object.keys(digests).filter((name) => !names.includes(name))
  for (const name of lost) {
    const message = `"${name}" was recorded of the document, but is not here; add it again, or, if the document changed, remove it from ${RECORD}.`
    yield { message, at: `/${section}` }
  }
}

/** The statements of facts.yaml, each by its id, with its digest: a short hash of its content. */
function listStatements({ statements }: Facts): Entry[] {
  return statements.map((statement, index) => ({
    name: statement.id,
    at: pointerBelow('/statements', index),
    digest: createDigest(statement),
  }))
}

/**
 * The values that the document shows, each with the name of its field in the record, such as
 * `checkCode#/qrcode_type`, and its digest.
 */
function listShownValues({ accepts }: Facts): Entry[] {
  const entries: Entry[] = []
  for (const [id, valuesByPointer] of Object.entries(accepts)) {
    for (const [pointer, values] of Object.entries(valuesByPointer)) {
      const at = pointerBelow('/accepts', id, pointer)
      entries.push({ name: `${id}#${pointer}`, at, digest: createDigest(values) })
    }
  }
  return entries
}

/** Short, since it protects from accidents alone. */
function createDigest(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 8)
}
