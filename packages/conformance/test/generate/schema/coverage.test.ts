import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createSchemas, type Schemas } from '../../../src/generate/schema/schemas.ts'
import { bodySchemas, contract, schemas } from './documents.ts'

type Node = Readonly<Record<string, unknown>>

const guide: Node = JSON.parse(
  readFileSync(new URL('../../../../../spec/dist/guide.json', import.meta.url), 'utf8'),
)
const BREAKABLE =
  `type enum const pattern format minLength maxLength minimum maximum minItems maxItems required oneOf
  anyOf discriminator maxProperties`.split(/\s+/)
const EDGED = `enum pattern format minLength maxLength minimum maximum minItems maxItems oneOf anyOf default
  maxProperties`.split(/\s+/)

const FORM = 'tells the forms of a choice apart, so the choice is found broken in its place'

/** Keywords that no request can violate, and why. */
const NEVER_BROKEN: Readonly<Record<string, string>> = {
  '/components/schemas/EmvTransferRequest/type': FORM,
  '/components/schemas/EmvTransferRequest/properties/type/type': FORM,
  '/components/schemas/EmvTransferRequest/properties/type/const': FORM,
  '/components/schemas/DictTransferRequest/type': FORM,
  '/components/schemas/DictTransferRequest/properties/type/type': FORM,
  '/components/schemas/DictTransferRequest/properties/type/const': FORM,
  '/components/schemas/QrCodeRecord/type': FORM,
  '/components/schemas/DueDateQrCode/allOf/1/type': FORM,
  '/components/schemas/DueDateQrCode/allOf/1/properties/kind/type': FORM,
  '/components/schemas/DueDateQrCode/allOf/1/properties/kind/const': FORM,
  '/components/schemas/DueDateQrCode/allOf/1/properties/payer/oneOf/1/type': FORM,
  '/components/schemas/DueDatePayer/type': FORM,
  '/components/schemas/ImmediateQrCode/allOf/1/type': FORM,
  '/components/schemas/ImmediateQrCode/allOf/1/properties/kind/type': FORM,
  '/components/schemas/ImmediateQrCode/allOf/1/properties/kind/const': FORM,
  '/components/schemas/ImmediateQrCode/allOf/1/properties/payer/oneOf/1/type': FORM,
  '/components/schemas/ImmediatePayer/type': FORM,
}
/** Keywords whose edge is that of another keyword of the same string, and why. */
const NO_EDGE: Readonly<Record<string, string>> = {
  '/components/schemas/Amount/pattern': 'PaymentAmount, which refers to it, takes less',
  '/components/schemas/Timestamp/pattern': 'says only how the text ends; the edges are those of its format',
}

test('each skipped keyword is in the contract', () => {
  const all = [...bodySchemas(contract, 'requestBody')].flatMap((it) =>
    keywordsBelow(contract, it, [...BREAKABLE, ...EDGED]),
  )
  for (const it of Object.keys({ ...NEVER_BROKEN, ...NO_EDGE })) expect(all).toContain(it)
})

describe.each([
  ['the contract', contract, schemas, bodySchemas(contract, 'requestBody')],
  ['the guide', guide, createSchemas(guide), bodySchemas(guide, 'requestBody')],
] as const)('%s', (_, document, made, pointers) => {
  test.each(pointers)('each keyword of %s is violated by a variant', (pointer) => {
    const broken = new Set(
      acceptedOf(made, pointer).flatMap((value) =>
        made.breaks(pointer, value).map(({ change }) => change.contract),
      ),
    )
    const missing = keywordsBelow(document, pointer, BREAKABLE).filter((it) => !broken.has(it))
    const skipped = keywordsBelow(document, pointer, BREAKABLE).filter((it) => it in NEVER_BROKEN)
    expect(missing.toSorted()).toEqual(skipped.toSorted())
  })

  test.each(pointers)('each keyword of %s has an edge value', (pointer) => {
    const kept = new Set(
      acceptedOf(made, pointer).flatMap((value) =>
        made.boundaries(pointer, value).map(({ change }) => change.contract),
      ),
    )
    const missing = keywordsBelow(document, pointer, EDGED).filter((it) => !kept.has(it))
    expect(missing.filter((it) => !(it in NO_EDGE))).toEqual([])
  })
})

/** A value of each branch. */
function acceptedOf(made: Schemas, pointer: string) {
  const value = made.validOf(pointer) ?? null
  const forms = made.boundaries(pointer, value).filter(({ change }) => /^(one|any)Of$/.test(change.keyword))
  return [value, ...forms.map(({ body }) => body)]
}

/** Pointers to keywords of a schema and its subschemas, following references. */
function keywordsBelow(document: Node, pointer: string, keywords: readonly string[]): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  visit(pointer)
  return [...found]

  function visit(at: string): void {
    const node = at
      .split('/')
      .slice(1)
      .reduce<unknown>((it, key) => (it as Node)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
    if (seen.has(at) || typeof node !== 'object' || node === null) return
    seen.add(at)
    const schema = node as Node
    for (const keyword of keywords) if (keyword in schema) found.add(`${at}/${keyword}`)
    if (typeof schema.$ref === 'string') visit(schema.$ref.slice(1))
    if (schema.items) visit(`${at}/items`)
    for (const name of Object.keys(schema.properties ?? {})) visit(`${at}/properties/${name}`)
    for (const list of ['oneOf', 'anyOf', 'allOf'])
      for (const i of Object.keys(schema[list] ?? {})) visit(`${at}/${list}/${i}`)
  }
}
