import { expect, it } from 'vitest'
import { checkHar } from '../../src/har.ts'
import { NOTHING_UNKNOWN, type UnknownCounts } from '../../src/report/result.ts'
import { BASE, har } from './session.ts'

/** A recording, and what the checker makes of it. */
export interface Row {
  /** What the recorder does, after the title of the `describe`. */
  readonly title: string
  readonly entries: readonly unknown[]
  /** The findings as `rule@operation`. Default: none. */
  readonly finds?: readonly string[]
  /** What is counted as unknown or left out. Default: nothing. */
  readonly unknown?: Partial<UnknownCounts>
}

/** A test of each row. */
export function testRows(rows: readonly Row[]): void {
  for (const { title, entries, finds = [], unknown = {} } of rows) {
    it(title, () => {
      const result = checkHar(har(entries), { baseUrl: BASE })
      const findings = result.findings.map(({ rule, operation }) => `${rule}@${operation}`)
      expect(findings.sort()).toEqual([...finds].sort())
      expect(result.unknown).toEqual({ ...NOTHING_UNKNOWN, ...unknown })
    })
  }
}
