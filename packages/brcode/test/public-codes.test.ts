import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findHints } from '../src/hints.ts'
import { type BrCode, decode, encode, tryDecode } from '../src/index.ts'

/** A code of a public report or document, with what a reader should make of it. */
interface PublicCode {
  readonly what: string
  readonly source: string
  readonly strict: 'accept' | 'refuse'
  readonly lenient: 'accept' | 'refuse'
  /** Why both profiles refuse it. */
  readonly error?: string
  /** Paths of the issues that the lenient profile lists. */
  readonly issues?: readonly string[]
  readonly fields?: Partial<BrCode>
  /** Names of fields that are `undefined`. */
  readonly absent?: readonly (keyof BrCode)[]
  /** The fault that a hint names. */
  readonly hint?: string
  readonly code: string
}

const codes: readonly PublicCode[] = JSON.parse(
  readFileSync(new URL('public-codes.json', import.meta.url), 'utf8'),
)
const accepted = codes.filter(({ lenient }) => lenient === 'accept')
const refused = codes.filter(({ lenient }) => lenient === 'refuse')

test.each(accepted)('reads $what ($source)', ({ code, fields = {}, absent = [], issues = [] }) => {
  const read = decode(code, { profile: 'lenient' })
  expect(read).toMatchObject(fields)
  expect(read.issues.map(({ path }) => path).sort()).toEqual(issues)
  for (const field of absent) expect(read[field]).toBeUndefined()
  expect(encode(read, { profile: 'lenient' })).toBe(code)
})

test.each(refused)('refuses $what ($source)', ({ code, error }) => {
  expect(tryDecode(code, { profile: 'lenient' })).toMatchObject({ error: { code: error } })
})

test.each(codes)('the strict profile would $strict $what ($source)', ({ code, strict }) => {
  expect(tryDecode(code).ok).toBe(strict === 'accept')
})

test.each(codes)('gives no wrong hint on $what ($source)', ({ code, hint }) => {
  const faults = findHints(code).map(({ fault }) => fault)
  expect(faults).toEqual(hint === undefined ? [] : [hint])
})

test('has all codes', () => {
  expect(codes).toHaveLength(58)
  expect(accepted).toHaveLength(36)
})
