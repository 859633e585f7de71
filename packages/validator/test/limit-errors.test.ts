import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { limitErrors } from '../src/limit-errors.ts'

/** A list of records, which refer to themselves so that ajv makes a function of them. */
const SCHEMA = {
  $ref: '#/$defs/list',
  $defs: {
    list: { type: 'array', items: { $ref: '#/$defs/record' } },
    record: { type: 'object', properties: { parts: { $ref: '#/$defs/list' } } },
  },
}

test('ajv generates the code that is rewritten', () => {
  const generated: string[] = []
  const process = (code: string) => {
    generated.push(code)
    return limitErrors(code)
  }
  const ajv = new Ajv2020({ allErrors: true, code: { process, optimize: false } })
  const validate = ajv.compile(SCHEMA)

  const before = generated.join('\n')
  const after = limitErrors(before)
  expect(before).toContain('vErrors.concat(')
  expect(after).not.toContain('vErrors.concat(')
  expect(before).toMatch(/for\(let i0=0; i0<len0; i0\+\+\)/)
  expect(after).not.toMatch(/for\(let i0=0; i0<len0; i0\+\+\)/)
  expect(validate(Array.from({ length: 5_000 }, () => 7))).toBe(false)
  expect(validate.errors).toHaveLength(1_000)
})
