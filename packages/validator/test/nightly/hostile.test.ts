import { expect, it } from 'vitest'
import { createValidator } from '../../src/index.ts'
import { JSON_HEADERS } from '../contract.ts'
import { PROPERTIES } from '../hostile.ts'

it.each(PROPERTIES)('$title', ({ expectHolds }) => expectHolds(6_000))

const validator = createValidator()

it('a long array of small invalid values takes no second', () => {
  const listImmediate = validator.operations.find(({ id }) => id === 'listImmediateQrCodes')
  if (!listImmediate) throw new Error('the contract has no listImmediateQrCodes')
  for (const item of ['{}', '[0]', '{"id":{}}', '[[]]']) {
    const items = Array(Math.floor(2_000_000 / (item.length + 1))).fill(item)
    const response = { status: 200, headers: JSON_HEADERS, body: JSON.parse(`{"data":[${items}]}`) }
    const before = process.cpuUsage()
    const findings = validator.validateResponse(listImmediate, response, { unknown: true })
    expect(findings).toHaveLength(100)
    expect(process.cpuUsage(before).user, item).toBeLessThan(1_000_000)
  }
})
