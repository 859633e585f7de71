import { createHash } from 'node:crypto'
import type { Rule } from '../rule.ts'

/**
 * The sections that the contract cannot confirm, since nothing lacks in it without their lines, and
 * the SHA-256 of their JSON. They change only when the source document does.
 */
const RECORDED = {
  accepts: '4cb18e3c5e22522f051503d21f7b8f3631fd33f87120cadd9878a71e05603f74',
  statements: 'c0ddb5d150a027e9e98f1db24ed62b2eb6e67a5e6a9f3c59bab5a7dff4a1b608',
} as const

/** What the document says in prose, and the values that it shows, must be those that were recorded. */
export const factsRecorded: Rule = function* ({ facts: { value, file } }) {
  for (const section of ['accepts', 'statements'] as const) {
    const digest = createHash('sha256').update(JSON.stringify(value[section])).digest('hex')
    if (digest === RECORDED[section]) continue
    yield {
      message: `"${section}" differs from what was recorded of the document; undo the change, or, if the document changed, record ${digest} in spec/lint/rules/facts-recorded.ts.`,
      at: `/${section}`,
      file,
    }
  }
}
